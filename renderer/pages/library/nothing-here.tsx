import { useQueries, useQuery } from "@tanstack/react-query";
import { CloudDownload, FilePlus2, LibraryBig, SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { unknownField, withField, withSimilarWords } from "../../../shared/search/language/near-queries.ts";
import { countQuery, type LibrarySearch, type LibraryView } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";
import styles from "./library.module.css";
import type { useLibrarySearch } from "./library-search.ts";
import { isOnlyHere } from "./local-facets.ts";

interface NothingHereProps {
  search: ReturnType<typeof useLibrarySearch>;
  isOnline: boolean;
  /** There is a server, and it cannot be reached now. */
  isAway: boolean;
  /** The result belongs to the previous query. */
  isOld: boolean;
  onNew: () => void;
  /** Opens the import of citations. */
  onImport: () => void;
}

/** An empty list: why, and what to do. */
export function NothingHere({ search, isOnline, isAway, isOld, onNew, onImport }: NothingHereProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  if (status?.awaits_copy)
    return (
      <EmptyState
        icon={CloudDownload}
        title={t("library.not_here_yet")}
        actions={
          <Button variant="primary" onPress={onNew}>
            {t("library.new")}
          </Button>
        }
      >
        {t("library.not_here_yet_help")}
      </EmptyState>
    );
  if (search.isFiltered) return <NothingFound search={search} isAway={isAway} isOld={isOld} />;
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
      {isAway && `${t("library.no_published_away")} `}
      {t("library.no_published_help")}
    </EmptyState>
  ) : (
    <EmptyState
      icon={FilePlus2}
      title={t("library.new_user")}
      actions={
        <>
          <Button variant="primary" onPress={onNew}>
            {t("library.new")}
          </Button>
          <Button onPress={onImport}>{t("import.many_title")}</Button>
          {isOnline && <Button onPress={() => search.setView("published")}>{t("library.see_team")}</Button>}
        </>
      }
    >
      {t("library.new_user_help")}
    </EmptyState>
  );
}

interface Elsewhere {
  id: "published" | "mine" | "unfiltered" | "similar" | "file_names";
  query: LibrarySearch;
  show: () => void;
}

/** Similar queries. */
function nearby({ query, setView, setText, clearFilters }: NothingHereProps["search"]): Elsewhere[] {
  const { q, view, facets } = query;
  const here = { ...query, isRemote: false };
  const other: LibraryView = view === "mine" ? "published" : "mine";
  const near: Elsewhere[] = [];
  if (q && Object.keys(facets).length > 0)
    near.push({ id: "unfiltered", query: { ...here, facets: {} }, show: clearFilters });
  // Filters differ between views, so the link has none.
  if (q) near.push({ id: other, query: { ...here, view: other, facets: {} }, show: () => setView(other) });
  const similar = q ? withSimilarWords(q) : undefined;
  if (similar) near.push({ id: "similar", query: { ...here, q: similar }, show: () => setText(similar) });
  // File names are searched only on request.
  const named =
    /^[\p{L}\p{N}._-]+$/u.test(q) && !isOnlyHere(facets) ? `files.entries.key:*${q.replace(/-/g, "\\-")}*` : "";
  if (named) near.push({ id: "file_names", query: { ...here, q: named }, show: () => setText(named) });
  return near;
}

/** No results; offers similar queries with their counts. */
function NothingFound({ search, isAway, isOld }: Pick<NothingHereProps, "search" | "isAway" | "isOld">) {
  const { t } = useTranslation();
  const near = nearby(search);
  const unknown = unknownField(search.query.q);
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
      {unknown && <UnknownField {...unknown} q={search.query.q} onTry={search.setText} />}
      {isAway && `${t("library.no_hits_away")} `}
      {t(offers.length > 0 ? "library.near_help" : "library.no_hits_help")}
    </EmptyState>
  );
}

interface UnknownFieldProps {
  field: string;
  meant?: string;
  q: string;
  onTry: (query: string) => void;
}

/** Says that records have no such field, and offers the one that was probably meant. */
function UnknownField({ field, meant, q, onTry }: UnknownFieldProps) {
  const { t } = useTranslation();
  return (
    <span className={styles.unknownField}>
      {t("library.unknown_field", { field })}
      {meant && (
        <Button small onPress={() => onTry(withField(q, field, meant))}>
          {t("library.did_you_mean", { field: meant })}
        </Button>
      )}
    </span>
  );
}
