import { useQueries } from "@tanstack/react-query";
import { FilePlus2, LibraryBig, SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { countQuery, type LibrarySearch, type LibraryView } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";
import type { useLibrarySearch } from "./library-search.ts";
import { isOnlyHere } from "./local-facets.ts";

interface NothingHereProps {
  search: ReturnType<typeof useLibrarySearch>;
  isOnline: boolean;
  /** Of the question before: the answer to this one is not there yet. */
  isOld: boolean;
  /** Begins a draft, by a citation when that is asked for. */
  onNew: (ask?: "import") => void;
}

/** An empty list: why, and what to do about it. */
export function NothingHere({ search, isOnline, isOld, onNew }: NothingHereProps) {
  const { t } = useTranslation();
  if (search.isFiltered) return <NothingFound search={search} isOld={isOld} />;
  return search.query.view === "published" ? (
    <EmptyState
      icon={LibraryBig}
      title={t("library.no_published")}
      actions={
        isOnline &&
        !search.query.isRemote && (
          <Button variant="primary" onPress={() => search.setRemote(true)}>
            {t("library.see_server")}
          </Button>
        )
      }
    >
      {t("library.no_published_help")}
    </EmptyState>
  ) : (
    <EmptyState
      icon={FilePlus2}
      title={t("library.new_user")}
      actions={
        <>
          <Button variant="primary" onPress={() => onNew()}>
            {t("library.new")}
          </Button>
          <Button onPress={() => onNew("import")}>{t("import.title")}</Button>
        </>
      }
    >
      {t("library.new_user_help")}
    </EmptyState>
  );
}

interface Elsewhere {
  id: "published" | "mine" | "unfiltered" | "file_names";
  query: LibrarySearch;
  show: () => void;
}

/** Questions close to the one that found nothing. */
function nearby({ query, setView, setText, clearFilters }: NothingHereProps["search"]): Elsewhere[] {
  const { q, view, facets } = query;
  const here = { ...query, isRemote: false };
  const other: LibraryView = view === "mine" ? "published" : "mine";
  const near: Elsewhere[] = [];
  if (q && Object.keys(facets).length > 0)
    near.push({ id: "unfiltered", query: { ...here, facets: {} }, show: clearFilters });
  // The filters of one view are not those of the other: it is gone to without them.
  if (q) near.push({ id: other, query: { ...here, view: other, facets: {} }, show: () => setView(other) });
  // Names of files are searched only when asked for.
  const named =
    /^[\p{L}\p{N}._-]+$/u.test(q) && !isOnlyHere(facets) ? `files.entries.key:*${q.replace(/-/g, "\\-")}*` : "";
  if (named) near.push({ id: "file_names", query: { ...here, q: named }, show: () => setText(named) });
  return near;
}

/** Nothing fits; what is found by a question close to this one is offered, with how much there is. */
function NothingFound({ search, isOld }: Pick<NothingHereProps, "search" | "isOld">) {
  const { t } = useTranslation();
  const near = nearby(search);
  const counts = useQueries({ queries: near.map(({ query }) => ({ ...countQuery(query), enabled: !isOld })) });
  const offers = near.flatMap((one, index) => {
    const count = counts[index]?.data ?? 0;
    return count > 0 ? [{ ...one, count }] : [];
  });
  return (
    <EmptyState
      icon={SearchX}
      title={t("library.no_hits")}
      actions={
        <>
          {offers.map(({ id, count, show }) => (
            <Button key={id} onPress={show}>
              {t(`library.near.${id}`, { count })}
            </Button>
          ))}
          <Button variant={offers.length > 0 ? "quiet" : "secondary"} onPress={search.clear}>
            {t("library.clear_search")}
          </Button>
        </>
      }
    >
      {t(offers.length > 0 ? "library.near_help" : "library.no_hits_help")}
    </EmptyState>
  );
}
