import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FilePlus2, LibraryBig, SearchX, X } from "lucide-react";
import { useCallback, useEffect } from "react";
import { Button as AriaButton } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Envelope, RecordBody } from "../../api-client/record-types.ts";
import { createDraft, libraryQuery } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { RadioChoice } from "../../components/choice.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { VirtualList } from "../../components/virtual-list.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { isWelcomed } from "../welcome/welcomed.ts";
import { Facets } from "./facets.tsx";
import styles from "./library.module.css";
import { LibraryRow } from "./library-row.tsx";
import { useLibrarySearch, useTypedText } from "./library-search.ts";

const sorts = ["bestmatch", "updated-desc", "updated-asc", "newest", "oldest"] as const;

function useNewDraft() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: createDraft,
    onSuccess: ({ id }) => navigate({ to: "/uploads/$id", params: { id } }),
    onError: showFailure,
  });
}

/** Own work and published records, searched on this computer; the address holds the whole query. */
export function LibraryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { query, setText, setSort, setView, setRemote, toggle, clear } = useLibrarySearch();
  const [text, setTyped] = useTypedText(query.q, setText);
  const newDraft = useNewDraft();
  const { data: status } = useQuery(syncStatusQuery);
  const { data, error, isPending, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    libraryQuery(query),
  );
  usePageTitle({ label: t("place.library") });
  useEffect(() => {
    if (status?.state === "local" && !isWelcomed()) void navigate({ to: "/welcome", replace: true });
  }, [status?.state, navigate]);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const first = data?.pages[0];
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t("place.library")}</h1>
      <Facets aggregations={first?.aggregations ?? {}} chosen={query.facets} onToggle={toggle} />
      <div className={styles.content}>
        <div className={styles.head}>
          <RadioChoice
            label={t("library.view")}
            hideLabel
            look="segments"
            value={query.view}
            onChange={setView}
            options={[
              { id: "mine", label: t("library.mine") },
              { id: "published", label: t("library.published") },
            ]}
          />
          <div className={styles.search}>
            <SearchField label={t("library.search")} value={text} onChange={setTyped} />
          </div>
          <span className={styles.push} />
          <Button variant="primary" icon={FilePlus2} isPending={newDraft.isPending} onPress={() => newDraft.mutate()}>
            {t("library.new")}
          </Button>
        </div>
        <LibraryBar
          first={first}
          facets={query.facets}
          onToggle={toggle}
          onClear={clear}
          sort={query.sort}
          onSort={setSort}
        />
        {status?.online && (query.q !== "" || query.isRemote) && (
          <ScopeLine isRemote={query.isRemote} onChange={setRemote} />
        )}
        {isPending && <Busy />}
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {first?.hits.total === 0 && (
          <NothingHere
            view={query.view}
            isSearch={Boolean(query.q) || Object.keys(query.facets).length > 0}
            onNew={() => newDraft.mutate()}
            onClear={clear}
          />
        )}
        {first && first.hits.total > 0 && (
          <VirtualList<RecordBody>
            label={t("library.list")}
            items={data.pages.flatMap((page) => page.hits.hits)}
            keyOf={({ id, is_published }) => `${id}${is_published}`}
            estimatePx={64}
            total={first.hits.total}
            onEnd={onEnd}
          >
            {(record) => <LibraryRow record={record} status={status} />}
          </VirtualList>
        )}
      </div>
    </div>
  );
}

/** What is held here is searched first; the server has more. */
function ScopeLine({ isRemote, onChange }: { isRemote: boolean; onChange: (isRemote: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.scope}>
      {isRemote && <span>{t("library.from_server")}</span>}
      <Button small variant="link" onPress={() => onChange(!isRemote)}>
        {t(isRemote ? "library.back_local" : "library.ask_server")}
      </Button>
    </div>
  );
}

interface LibraryBarProps {
  first: Envelope<RecordBody> | undefined;
  facets: Record<string, string[]>;
  sort: string;
  onToggle: (name: string, value: string) => void;
  onClear: () => void;
  onSort: (sort: string) => void;
}

function LibraryBar({ first, facets, sort, onToggle, onClear, onSort }: LibraryBarProps) {
  const { t } = useTranslation();
  const chips = Object.entries(facets).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const labelOf = (name: string, value: string) => {
    const buckets = first?.aggregations?.[name]?.buckets ?? [];
    const key = value.split("::").at(-1);
    const all = buckets.flatMap((bucket) => [bucket, ...(bucket.inner?.buckets ?? [])]);
    return all.find((bucket) => bucket.key === key)?.label ?? value;
  };
  return (
    <div className={styles.bar}>
      <span className={styles.count} role="status">
        {first && t("library.count", { count: first.hits.total })}
      </span>
      {chips.map(({ name, value }) => {
        const label = labelOf(name, value);
        return (
          <AriaButton
            key={`${name}=${value}`}
            className={styles.chip ?? ""}
            aria-label={t("library.remove_filter", { label })}
            onPress={() => onToggle(name, value)}
          >
            {label}
            <X size={12} aria-hidden="true" />
          </AriaButton>
        );
      })}
      {chips.length > 1 && (
        <Button small variant="quiet" onPress={onClear}>
          {t("library.clear_filters")}
        </Button>
      )}
      <span className={styles.push} />
      <Select
        label={t("library.sort")}
        look="bare"
        value={sort || (first?.sortBy ?? "bestmatch")}
        onChange={onSort}
        options={sorts.map((id) => ({ id, label: t(`library.sort_by.${id}`) }))}
      />
    </div>
  );
}

function NothingHere({
  view,
  isSearch,
  onNew,
  onClear,
}: {
  view: "mine" | "published";
  isSearch: boolean;
  onNew: () => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  if (isSearch)
    return (
      <EmptyState
        icon={SearchX}
        title={t("library.no_hits")}
        actions={<Button onPress={onClear}>{t("library.clear_filters")}</Button>}
      >
        {t("library.no_hits_help")}
      </EmptyState>
    );
  return view === "published" ? (
    <EmptyState icon={LibraryBig} title={t("library.no_published")}>
      {t("library.no_published_help")}
    </EmptyState>
  ) : (
    <EmptyState
      icon={FilePlus2}
      title={t("library.new_user")}
      actions={
        <Button variant="primary" onPress={onNew}>
          {t("library.new")}
        </Button>
      }
    >
      {t("library.new_user_help")}
    </EmptyState>
  );
}
