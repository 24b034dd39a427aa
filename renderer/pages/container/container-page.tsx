import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Download, PackageOpen, SearchX, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { blockingError } from "../../api-client/blocking-error.ts";
import {
  type ContainerEntry,
  type ContainerListing,
  containerBase,
  memberSearchQuery,
} from "../../api-client/containers.ts";
import { draftQuery, recordQuery } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Busy, EmptyState, InlineNotice } from "../../components/notice.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { Tree, type TreeRow } from "../../components/tree.tsx";
import { useChange } from "../../components/use-change.ts";
import { VirtualList } from "../../components/virtual-list.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import { splitPath } from "../../format/names.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { useTypedText } from "../library/library-search.ts";
import { type ChosenEntries, saveEntries, useChosenEntries } from "./chosen-entries.ts";
import styles from "./container.module.css";
import { type Node, useContainerRows } from "./container-rows.tsx";
import { EntryPane } from "./entry-pane.tsx";
import { FoundRow } from "./found-row.tsx";

const recordRoute = getRouteApi("/records/$id/files/$");
const draftRoute = getRouteApi("/uploads/$id/files/$");

/** An archive of a record: `/records/{id}/files/{key}?path=…`. */
export function RecordContainerPage() {
  const { id, _splat: key = "" } = recordRoute.useParams();
  const { data } = useQuery(recordQuery(id));
  return <Container key={`${id}/${key}`} kind="records" id={id} fileKey={key} title={data?.metadata.title} />;
}

/** The same for a draft, so that reviewers can look into archives. */
export function DraftContainerPage() {
  const { id, _splat: key = "" } = draftRoute.useParams();
  const { data } = useQuery(draftQuery(id));
  return <Container key={`${id}/${key}`} kind="uploads" id={id} fileKey={key} title={data?.metadata.title} />;
}

interface ContainerProps {
  kind: "records" | "uploads";
  id: string;
  fileKey: string;
  title: string | undefined;
}

function Container({ kind, id, fileKey, title }: ContainerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const api = kind === "records" ? recordRoute : draftRoute;
  const { q = "", path = "", review } = api.useSearch();
  const base = containerBase(kind, id, fileKey);
  const tree = useContainerRows(base, { more: t("container.more"), first: path });
  // A link may name a folder without its slash.
  const selected = !tree.nodes.has(path) && tree.nodes.has(`${path}/`) ? `${path}/` : path;
  const chosen = useChosenEntries();
  const found = useQuery(memberSearchQuery(base, q));
  usePageTitle(
    review ? { label: t("place.requests"), to: "/me/requests" } : { label: t("place.library"), to: "/me/uploads" },
    { label: title ?? t("library.untitled"), to: review ? `/me/requests/${review}` : `/${kind}/${id}` },
    { label: splitPath(fileKey).name },
  );
  const show = (change: { q?: string | undefined; path?: string | undefined }) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...change }), replace: true });
  const typed = useTypedText(q, (next) => show({ q: next || undefined }));
  const select = (row: TreeRow) => {
    const node = tree.nodes.get(row.id);
    if (node?.kind === "more") tree.loadMore(node.at.key);
    else show({ path: row.id });
  };
  const listing = tree.root?.data;
  const error = tree.root ? blockingError(tree.root) : null;
  const hits = q ? (found.data?.entries ?? []) : [];
  const node = useNamedNode(base, selected, tree.nodes.get(selected) ?? nodeOf(hits, selected), tree.isPending);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 title={fileKey}>{splitPath(fileKey).name}</h1>
        <div className={styles.filter}>
          <SearchField label={t("container.filter")} {...typed} />
        </div>
      </div>
      <div className={styles.tree}>
        {tree.root?.isPending && <Busy label={t("container.opening")} />}
        {q === "" && listing && tree.rows.length === 0 && (
          <EmptyState icon={PackageOpen} title={t("container.empty")} />
        )}
        {q === "" && tree.rows.length > 0 && (
          <Tree
            label={t("container.tree", { name: fileKey })}
            rows={tree.rows}
            selected={selected}
            onSelect={select}
            onToggle={({ id: folder }) => tree.toggle(folder)}
            checks={chosen.checks(tree.nodes)}
          />
        )}
        {q !== "" && found.data && hits.length === 0 && (
          <EmptyState icon={SearchX} title={t("library.no_hits")}>
            {t("container.no_hits", { text: q })}
          </EmptyState>
        )}
        {hits.length > 0 && (
          <VirtualList<ContainerEntry>
            label={t("container.found")}
            items={hits}
            keyOf={({ key, checksum }) => `${key} ${checksum}`}
            estimatePx={28}
          >
            {(entry) => (
              <FoundRow
                entry={entry}
                text={q}
                isSelected={entry.key === selected}
                onSelect={() => show({ path: entry.key })}
                isChosen={chosen.stateOf(entry.key) === true}
                onChoose={() => chosen.toggle({ kind: "file", at: entry })}
              />
            )}
          </VirtualList>
        )}
      </div>
      <section className={styles.entry} aria-label={t("container.entry")}>
        {error ? (
          <ContainerFailure error={error} onRetry={() => void tree.root?.refetch()} />
        ) : (
          <EntryPane base={base} node={node} fileKey={fileKey} />
        )}
      </section>
      <Foot listing={listing} matches={q ? found.data?.total : undefined}>
        <ChosenBar base={base} chosen={chosen} />
      </Foot>
    </div>
  );
}

interface FootProps {
  /** The root's children. */
  listing: ContainerListing | undefined;
  matches: number | undefined;
  children: ReactNode;
}

/** Counts of the archive and of the matches. */
function Foot({ listing, matches, children }: FootProps) {
  const { t } = useTranslation();
  const { entries = [], directories = [], total: direct = 0 } = listing ?? {};
  // A listing counts only its direct children; each folder has its own count.
  const total = direct + directories.reduce((sum, { count = 0 }) => sum + count, 0);
  const unpacked = [...entries, ...directories].reduce((sum, { size = 0 }) => sum + size, 0);
  const isWhole = entries.length === direct;
  return (
    <footer className={styles.foot}>
      {listing && <span>{t("container.total", { count: total, number: formatCount(total) })}</span>}
      {isWhole && unpacked > 0 && <span>{t("container.unpacked", { size: formatBytes(unpacked) })}</span>}
      {matches !== undefined && <span>{t("container.matches", { count: matches, number: formatCount(matches) })}</span>}
      {children}
    </footer>
  );
}

/** The count of selected entries, and a save button. */
function ChosenBar({ base, chosen }: { base: string; chosen: ChosenEntries }) {
  const { t } = useTranslation();
  const save = useChange(() => saveEntries(base, chosen.nodes));
  const { nodes, count, sizeBytes } = chosen;
  return (
    <div className={styles.chosen}>
      <span aria-live="polite">
        {nodes.length > 0 && t("container.chosen", { count, number: formatCount(count), size: formatBytes(sizeBytes) })}
      </span>
      {nodes.length > 0 && (
        <>
          <IconButton small icon={X} label={t("container.clear")} onPress={chosen.clear} />
          <Button small variant="primary" icon={Download} isPending={save.isPending} onPress={() => save.mutate()}>
            {t("container.save_chosen")}
          </Button>
        </>
      )}
    </div>
  );
}

/** The archive is damaged, or is only on the server, which cannot be reached. */
function ContainerFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const isAway = error instanceof ApiFailure && error.status === 503;
  return (
    <InlineNotice
      tone={isAway ? "warn" : "danger"}
      title={t(isAway ? "page.away" : "container.broken")}
      actions={isAway && <Button onPress={onRetry}>{t("action.try_again")}</Button>}
    >
      {error.message}
    </InlineNotice>
  );
}

/** The entry of the address, also if it is none of the first thousand in its folder. */
function useNamedNode(base: string, path: string, listed: Node | undefined, isPending: boolean): Node | undefined {
  const isElsewhere = path !== "" && !listed && !isPending;
  const { data } = useQuery({ ...memberSearchQuery(base, path), enabled: isElsewhere });
  return listed ?? (isElsewhere ? nodeOf(data?.entries ?? [], path) : undefined);
}

const nodeOf = (entries: ContainerEntry[], key: string) => {
  const at = entries.findLast((entry) => entry.key === key);
  return at ? ({ kind: "file", at } as const) : undefined;
};
