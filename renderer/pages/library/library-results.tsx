import { useInfiniteQuery } from "@tanstack/react-query";
import { type CSSProperties, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { type LibrarySearch, libraryQuery } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { Marker } from "../../format/marks.ts";
import { focusRow } from "../../shell/row-keys.ts";
import { useColumns, useRowPx } from "./columns.ts";
import { Inspector } from "./inspector.tsx";
import styles from "./library.module.css";
import row from "./library-row.module.css";
import { LibraryRow } from "./library-row.tsx";
import { type LocalIds, withLocalIds } from "./local-facets.ts";
import { SelectRow } from "./select-row.tsx";
import { rowKey, type Selection } from "./selection.ts";

/** Results of this computer, then on request the others of the server. */
export function useLibraryResults(asked: LibrarySearch, isOnline: boolean, ids: LocalIds) {
  const query = withLocalIds(asked, ids);
  const here = useInfiniteQuery(libraryQuery({ ...query, isRemote: false }));
  const there = useInfiniteQuery({
    ...libraryQuery({ ...query, isRemote: true }),
    enabled: query.isRemote && isOnline,
  });
  const held = here.data?.pages.flatMap((page) => page.hits.hits) ?? [];
  const known = new Set(held.map(({ id }) => id));
  const others = (query.isRemote && isOnline ? (there.data?.pages ?? []) : [])
    .flatMap((page) => page.hits.hits)
    .filter(({ id }) => !known.has(id));
  const next = here.hasNextPage ? here : there;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = next;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const more: More = {
    count: others.length,
    isOpen: there.hasNextPage,
    // The server's results follow, once all local ones are loaded.
    isLater: here.hasNextPage && others.length > 0,
  };
  return { here, there, held, others: here.hasNextPage ? [] : others, more, onEnd };
}

/** Further results on the server: how many are known, and whether there are more. */
interface More {
  count: number;
  isOpen: boolean;
  isLater: boolean;
}

type Row = RecordBody | "server";

interface ResultListProps {
  held: RecordBody[];
  others: RecordBody[];
  total: number;
  q: string;
  /** The rows belong to the previous query until the answer arrives. */
  isOld: boolean;
  status: SyncStatus | undefined;
  /** Set during a selection. */
  selection: Selection | null;
  onEnd: () => void;
}

/** The results, this computer's first, and beside them the preview, which follows the focus. */
export function ResultList({ held, others, total, q, isOld, status, selection, onEnd }: ResultListProps) {
  const { t } = useTranslation();
  const marker = useMemo(() => new Marker(q), [q]);
  const { shown: columns, template } = useColumns();
  const rowPx = useRowPx();
  const [looked, setLooked] = useState<string | null>(null);
  const rows: Row[] = others.length > 0 ? [...held, "server", ...others] : held;
  const record = looked === null ? undefined : [...held, ...others].find((one) => rowKey(one) === looked);
  const close = () => {
    // First, because an open preview follows the focus.
    if (looked !== null) focusRow(looked);
    setLooked(null);
  };
  return (
    <div className={`${styles.results} ${isOld ? styles.old : ""}`} aria-busy={isOld}>
      <div className={styles.list} style={{ "--columns": template } as CSSProperties}>
        {/* Each row says its facts by itself, so readers of the screen need no heads. */}
        <div className={`${row.heads} ${selection ? row.headsOfChoice : ""}`} aria-hidden="true">
          {selection && <span />}
          <span>{t("library.column.title")}</span>
          {columns.map((column) => (
            <span key={column} className={`${row.cell} ${row[column] ?? ""}`}>
              {t(`library.column.${column}`)}
            </span>
          ))}
        </div>
        <VirtualList<Row>
          key={rowPx}
          label={t("library.list")}
          items={rows}
          keyOf={(item) => (item === "server" ? item : rowKey(item))}
          estimatePx={rowPx}
          total={others.length > 0 ? rows.length : total}
          onEnd={onEnd}
        >
          {(item, index) => {
            if (item === "server") return <h2 className={styles.divide}>{t("library.from_server")}</h2>;
            const shown = { record: item, status, marker };
            const key = rowKey(item);
            // Records only on the server cannot be selected.
            return selection && index < held.length ? (
              <SelectRow {...shown} selection={selection} />
            ) : (
              <LibraryRow
                {...shown}
                isLookedAt={looked === key}
                onLook={() => (looked === key ? close() : setLooked(key))}
                onFocus={() => looked !== null && setLooked(key)}
              />
            );
          }}
        </VirtualList>
      </div>
      {record && <Inspector record={record} onClose={close} />}
    </div>
  );
}

interface ScopeLineProps {
  isRemote: boolean;
  isOnline: boolean;
  isFetching: boolean;
  more: More;
  error: Error | null;
  onChange: (isRemote: boolean) => void;
}

/** This computer is searched first; offers a search on the server. */
export function ScopeLine({ isRemote, isOnline, isFetching, more, error, onChange }: ScopeLineProps) {
  const { t } = useTranslation();
  if (isRemote && (error || !isOnline))
    return (
      <div className={styles.scopeNotice}>
        <InlineNotice
          tone="warn"
          actions={
            <Button small onPress={() => onChange(false)}>
              {t("library.back_local")}
            </Button>
          }
        >
          {error?.message ?? t("library.server_away")}
        </InlineNotice>
      </div>
    );
  const words = () => {
    if (isFetching) return t("library.asking_server");
    if (more.isLater || (more.isOpen && more.count === 0)) return t("library.more_later");
    return t(more.isOpen ? "library.more_open" : "library.more_there", { count: more.count });
  };
  return (
    <div className={styles.scope}>
      {isRemote && <span role="status">{words()}</span>}
      <Button small variant="link" onPress={() => onChange(!isRemote)}>
        {t(isRemote ? "library.back_local" : "library.ask_server")}
      </Button>
    </div>
  );
}
