import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { auditActions } from "../../../shared/audit/audit.schema.ts";
import { type AuditEntry, type AuditFilter, auditPageSize, auditQuery, mostCounted } from "../../api-client/audit.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { keepFocus } from "../../components/focus-back.ts";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { SearchField, TextField } from "../../components/text-field.tsx";
import { formatCount } from "../../format/amounts.ts";
import { formatFull, formatShort } from "../../format/times.ts";
import { usePartSearch } from "../administration/part-search.ts";
import { useTypedText } from "../library/library-search.ts";
import styles from "./audit.module.css";

const lastPage = mostCounted / auditPageSize;
const outcomes = ["done", "refused"] as const;
/** Means no filter, because a choice needs an id. */
const any = "any";

function useAuditFilter() {
  const { search, change } = usePartSearch();
  const { q = "", action, outcome = "", from = "", to = "", page = 1 } = search;
  const known = auditActions.find((one) => one === action) ?? "";
  return {
    filter: { q, action: known, outcome, from, to, page: Math.min(page, lastPage) } satisfies AuditFilter,
    change,
  };
}

/** The server's audit log, for administrators; not available offline. */
export function AuditLog() {
  const { t } = useTranslation();
  const { filter, change } = useAuditFilter();
  const { data, error, refetch } = usePageQuery(auditQuery(filter));
  const entries = data?.hits.hits ?? [];
  const total = data?.hits.total ?? 0;
  const turn = (by: number) => {
    const giveFocusBack = keepFocus();
    change({ page: filter.page + by });
    giveFocusBack();
  };
  return (
    <div className={styles.panel}>
      <p className={styles.note}>{t("audit.help")}</p>
      <Filters filter={filter} onChange={change} />
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && entries.length === 0 && (
        <EmptyState icon={ScrollText} title={t("audit.none")}>
          {t("audit.none_help")}
        </EmptyState>
      )}
      {entries.length > 0 && <Entries entries={entries} />}
      {total >= mostCounted && <p className={styles.note}>{t("audit.more", { most: formatCount(mostCounted) })}</p>}
      {total > auditPageSize && (
        <div className={styles.pages}>
          <Button isDisabled={filter.page === 1} onPress={() => turn(-1)}>
            {t("audit.newer")}
          </Button>
          <Button isDisabled={filter.page * auditPageSize >= total} onPress={() => turn(1)}>
            {t("audit.older")}
          </Button>
        </div>
      )}
    </div>
  );
}

function Filters({ filter, onChange }: { filter: AuditFilter; onChange: ReturnType<typeof useAuditFilter>["change"] }) {
  const { t } = useTranslation();
  const wordsOf = useActionWords();
  const text = useTypedText(filter.q, (q) => onChange({ q: q || undefined }));
  const from = useTypedText(filter.from, (day) => onChange({ from: day || undefined }));
  const to = useTypedText(filter.to, (day) => onChange({ to: day || undefined }));
  return (
    <div className={styles.filters}>
      <SearchField label={t("audit.search")} {...text} />
      <Select
        label={t("audit.action")}
        value={filter.action || any}
        onChange={(action) => onChange({ action: action === any ? undefined : action })}
        options={[{ id: any, label: t("audit.any") }, ...auditActions.map((id) => ({ id, label: wordsOf(id) }))]}
      />
      <Select
        label={t("audit.outcome")}
        value={filter.outcome || any}
        onChange={(outcome) => onChange({ outcome: outcomes.find((one) => one === outcome) })}
        options={[{ id: any, label: t("audit.any") }, ...outcomes.map((id) => ({ id, label: t(`audit.${id}`) }))]}
      />
      <TextField label={t("audit.since")} type="date" {...from} />
      <TextField label={t("audit.until")} type="date" {...to} />
    </div>
  );
}

/** Texts of actions; a newer server may send unknown ones. */
function useActionWords() {
  const { t } = useTranslation();
  return (action: string): string => {
    const known = auditActions.find((id) => id === action);
    return known ? t(`audit.actions.${known}`) : action;
  };
}

/** Kinds of objects with a name in the app; a newer server may send others. */
const objectTypes = [
  "user",
  "group",
  "collection",
  "record",
  "request",
  "token",
  "invitation",
  "vocabulary",
  "mail",
] as const;

/** Who acts without an account; a newer server may know others. */
const nobodies = ["system", "console", "anonymous"] as const;

const columns = ["time", "who", "action", "object", "outcome", "from"] as const;

function Entries({ entries }: { entries: AuditEntry[] }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section className={styles.scroll} aria-label={t("audit.log")} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {t(`audit.column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const wordsOf = useActionWords();
  const whoOf = (via: string): string => {
    const known = nobodies.find((one) => one === via);
    return known ? t(`audit.nobody.${known}`) : via;
  };
  const { outcome, status, via, credential, ip_address, details } = entry.metadata;
  // A refused call names the collection in its address.
  const kind = entry.resource?.type.replace(/ies$/, "y").replace(/s$/, "");
  const type = objectTypes.find((one) => one === kind);
  const object = entry.resource
    ? `${type ? t(`audit.objects.${type}`) : entry.resource.type} ${entry.resource.id}`
    : "";
  const more = Object.keys(details).length > 0 ? `${entry.action} ${JSON.stringify(details)}` : entry.action;
  return (
    <tr>
      <td title={formatFull(entry.created)}>{formatShort(entry.created)}</td>
      <td title={credential ?? undefined}>{entry.user?.username ?? entry.user_id ?? whoOf(via)}</td>
      <td title={more}>{wordsOf(entry.action)}</td>
      <td className={styles.object} title={object}>
        {object}
      </td>
      <td className={outcome === "refused" ? styles.refused : undefined}>
        {outcome === "refused" ? t("audit.refused_with", { status }) : t("audit.done")}
      </td>
      <td>{ip_address ?? ""}</td>
    </tr>
  );
}
