import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import { has } from "../../api-client/host.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { RadioChoice } from "../../components/choice.tsx";
import { Drawer } from "../../components/dialog.tsx";
import { Busy } from "../../components/notice.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { useNewDraft } from "../../shell/new-draft.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { isWelcomed } from "../welcome/welcomed.ts";
import { AwayDigest } from "./away-digest.tsx";
import { useFacetLabel } from "./facet-labels.ts";
import { Facets } from "./facets.tsx";
import { FiltersToggle, useFilterPanel } from "./filters-toggle.tsx";
import styles from "./library.module.css";
import { LibraryBar } from "./library-bar.tsx";
import { LibraryDrop } from "./library-drop.tsx";
import { ResultList, ScopeLine, useLibraryResults } from "./library-results.tsx";
import { useLibrarySearch, useTypedText } from "./library-search.ts";
import { isOnlyHere, useLocalIds } from "./local-facets.ts";
import { NewDraftButtons } from "./new-draft-buttons.tsx";
import { NothingHere } from "./nothing-here.tsx";
import { QueryHelp } from "./query-help.tsx";
import { SavedSearches } from "./saved-searches.tsx";
import { SearchFailure } from "./search-failure.tsx";
import type { Selection } from "./selection.ts";
import { useLibrarySelection } from "./selection-keys.ts";
import { StartFromDialog } from "./start-from-dialog.tsx";
import { UsageButton } from "./usage-dialog.tsx";

const ImportWorksDialog = lazy(async () => {
  const { ImportWorksDialog: Dialog } = await import("../draft/import/import-works-dialog.tsx");
  return { default: Dialog };
});

function useStatusOrWelcome() {
  const navigate = useNavigate();
  const { data: status } = useQuery(syncStatusQuery);
  useEffect(() => {
    if (status?.state === "local" && !isWelcomed()) void navigate({ to: "/welcome", replace: true });
  }, [status?.state, navigate]);
  return status;
}

/** The user's work and published records on this computer. The address holds the whole query. */
export function LibraryPage() {
  const { t } = useTranslation();
  const search = useLibrarySearch();
  const { query, address, setText, setView, setFilter, toggle } = search;
  const newDraft = useNewDraft();
  const beginNew = () => newDraft.mutate(undefined);
  /** Texts to import; null while the dialog is closed. */
  const [citations, setCitations] = useState<string[] | null>(null);
  const [isStarting, setStarting] = useState(false);
  const status = useStatusOrWelcome();
  const localIds = useLocalIds();
  const results = useLibraryResults(query, status?.online ?? false, localIds);
  const { here, held } = results;
  const { selection, begin } = useLibrarySelection(address, held);
  usePageTitle({ label: t("place.library") });
  const first = here.data?.pages[0];
  // The server knows more than this computer: its counts cover what the list then shows.
  const counted = (query.isRemote ? results.there.data?.pages[0] : undefined) ?? first;
  const aggregations = counted?.aggregations ?? {};
  const isPanelOpen = useFilterPanel();
  const labelOf = useFacetLabel(counted?.aggregations, query.facets);
  const filters = (
    <>
      <SavedSearches address={address} />
      <Facets
        aggregations={aggregations}
        labelOf={labelOf}
        localIds={localIds}
        chosen={query.facets}
        onToggle={toggle}
        onChange={setFilter}
      />
      {counted?.hits.total === 0 && !search.isFiltered && <p className={styles.noFilters}>{t("library.no_filters")}</p>}
      {query.view === "mine" && (
        <span>
          <UsageButton />
        </span>
      )}
    </>
  );
  return (
    <div className={`${styles.page} ${isPanelOpen ? "" : styles.shut}`}>
      <h1 className="visually-hidden">{t("place.library")}</h1>
      {isPanelOpen && (
        <aside className={styles.side} aria-label={t("library.filters")}>
          {filters}
        </aside>
      )}
      <div className={styles.content}>
        <AwayDigest />
        <LibraryHead view={query.view} q={query.q} onView={setView} onText={setText} filters={filters}>
          <NewDraftButtons
            isPending={newDraft.isPending}
            onNew={beginNew}
            onImport={() => setCitations([])}
            onStartFrom={() => setStarting(true)}
          />
        </LibraryHead>
        <LibraryBar
          first={first}
          search={search}
          labelOf={labelOf}
          isRefused={here.isError}
          selection={selection}
          shown={held}
          onSelect={() => begin()}
        />
        <LibraryDrop onCitations={setCitations} />
        <Found
          search={search}
          results={results}
          status={status}
          selection={selection}
          onNew={beginNew}
          onImport={() => setCitations([])}
        />
        {isStarting && <StartFromDialog onClose={() => setStarting(false)} />}
        {citations && (
          <Suspense>
            <ImportWorksDialog given={citations} onClose={() => setCitations(null)} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

interface FoundProps {
  search: ReturnType<typeof useLibrarySearch>;
  results: ReturnType<typeof useLibraryResults>;
  status: SyncStatus | undefined;
  selection: Selection | null;
  onNew: () => void;
  onImport: () => void;
}

/** Results from here and the server, or why there are none. */
function Found({ search, results, status, selection, onNew, onImport }: FoundProps) {
  const { t } = useTranslation();
  const { query, isFiltered, setText, setRemote } = search;
  const { here, there, held, others, more, onEnd } = results;
  const first = here.data?.pages[0];
  const isOnline = status?.online ?? false;
  const isAway = status !== undefined && status.state !== "local" && !isOnline;
  // This computer holds all of the user's work, but only a part of what is published.
  const isPartial = query.view === "published" && held.length > 0;
  // A newcomer's computer holds none of the team's records yet.
  const isEmpty = has("sync") && query.view === "published" && first?.hits.total === 0 && !isFiltered;
  useEffect(() => {
    if (isEmpty && isOnline && !query.isRemote) setRemote(true, true);
  }, [isEmpty, isOnline, query.isRemote, setRemote]);
  const maySearchServer = has("sync") && isOnline && (isFiltered || isPartial) && !isOnlyHere(query.facets);
  return (
    <>
      {!here.error && (maySearchServer || query.isRemote) && (
        <ScopeLine
          isRemote={query.isRemote}
          isOnline={isOnline}
          isFetching={there.isPending || there.isPlaceholderData}
          more={more}
          error={there.error}
          onChange={setRemote}
        />
      )}
      {isAway && isFiltered && query.view === "published" && !query.isRemote && held.length > 0 && (
        <p className={styles.scope}>{t("library.no_hits_away")}</p>
      )}
      {here.isPending && <Busy />}
      {here.error && (
        <SearchFailure error={here.error} q={query.q} onRetry={() => void here.refetch()} onTry={setText} hasHelp />
      )}
      {first?.hits.total === 0 && others.length === 0 && (
        <NothingHere
          search={search}
          isOnline={isOnline}
          isAway={isAway}
          isOld={here.isPlaceholderData}
          onNew={onNew}
          onImport={onImport}
        />
      )}
      {first && held.length + others.length > 0 && (
        <ResultList
          held={held}
          others={others}
          total={first.hits.total}
          q={query.q}
          isOld={here.isPlaceholderData}
          status={status}
          selection={selection}
          onEnd={onEnd}
        />
      )}
    </>
  );
}

interface LibraryHeadProps {
  view: string;
  q: string;
  onView: (view: string) => void;
  onText: (q: string) => void;
  filters: ReactNode;
  children: ReactNode;
}

function LibraryHead({ view, q, onView, onText, filters, children }: LibraryHeadProps) {
  const { t } = useTranslation();
  const typed = useTypedText(q, onText);
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  return (
    <div className={styles.head}>
      <FiltersToggle />
      <RadioChoice
        label={t("library.view")}
        hideLabel
        look="segments"
        value={view}
        onChange={onView}
        options={[
          { id: "mine", label: t("library.mine") },
          { id: "published", label: t("library.published") },
        ]}
      />
      <div className={styles.search}>
        <SearchField label={t("library.search")} {...typed} />
        <QueryHelp onTry={typed.onChange} />
      </div>
      <span className={styles.narrow}>
        <Button icon={SlidersHorizontal} onPress={() => setFiltersOpen(true)}>
          {t("library.filters")}
        </Button>
      </span>
      <Drawer title={t("library.filters")} isOpen={areFiltersOpen} onClose={() => setFiltersOpen(false)}>
        <div className={styles.drawer}>{filters}</div>
      </Drawer>
      <span className={styles.push} />
      {children}
    </div>
  );
}
