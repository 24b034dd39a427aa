import { Link } from "@tanstack/react-router";
import { ChevronRight, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Overview, overviewQuery } from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import { formatAgo } from "../../format/times.ts";
import styles from "./administration.module.css";

type Issue = Overview["attention"][number];

/** The part in which each kind is looked at. */
const places: Record<Issue["kind"], string> = {
  backup_failed: "backups",
  disk_nearly_full: "storage",
  backup_overdue: "backups",
  mail_failed: "mail",
  doi_failed: "dois",
  quota_nearly_full: "storage",
  no_backup: "backups",
  backup_on_same_disk: "backups",
  invitations_expired: "people",
  invitations_open: "people",
};

/** With less, nothing is saved any more. */
const leastFreeBytes = 1_000_000;

function IssueRow({ kind, count, is_quiet, isDiskFull }: Issue & { isDiskFull: boolean }) {
  const { t } = useTranslation();
  const words = kind === "disk_nearly_full" && isDiskFull ? "disk_full" : kind;
  const Icon = is_quiet ? Info : TriangleAlert;
  return (
    <li>
      <Link
        to="/administration/{-$page}"
        params={{ page: places[kind] }}
        className={`${styles.issue} ${is_quiet ? styles.quiet : styles.urgent}`}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        <span className={styles.words}>
          <span className={styles.name}>{t(`administration.attention.${words}`, { count })}</span>
          <span className={styles.note}>{t(`administration.attention_help.${words}`)}</span>
        </span>
        <ChevronRight size={16} aria-hidden="true" />
      </Link>
    </li>
  );
}

function Figure({ label, value, more }: { label: string; value: string; more?: string | undefined }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        {value}
        {more && <div className={styles.meta}>{more}</div>}
      </dd>
    </div>
  );
}

/** The start page: what needs attention, and how the server stands. */
export function OverviewPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(overviewQuery);
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { people, storage, mail, dois, backups, invitations } = data;
  const inactive = people.inactive + people.unconfirmed;
  const unsent = mail.waiting + mail.failing + mail.given_up;
  const unregistered = dois.waiting + dois.failing + dois.refused;
  return (
    <div className={styles.panel}>
      {data.attention.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t("administration.fine")}>
          {t("administration.fine_help")}
        </EmptyState>
      ) : (
        <ul className={styles.attention} aria-label={t("administration.attention_title")}>
          {data.attention.map((issue) => (
            <IssueRow key={issue.kind} {...issue} isDiskFull={storage.free_bytes < leastFreeBytes} />
          ))}
        </ul>
      )}
      <dl className={styles.figures} aria-label={t("administration.figures")}>
        <Figure
          label={t("administration.figure.people")}
          value={formatCount(people.active)}
          more={inactive > 0 ? t("administration.figure.inactive", { count: inactive }) : undefined}
        />
        <Figure label={t("administration.figure.invitations")} value={formatCount(invitations.open)} />
        <Figure
          label={t("administration.figure.used")}
          value={formatBytes(storage.used_bytes)}
          more={t("administration.figure.free", { free: formatBytes(storage.free_bytes) })}
        />
        <Figure
          label={t("administration.figure.backup")}
          value={backups.last_success ? formatAgo(backups.last_success) : t("administration.never")}
          more={backups.is_running ? t("administration.backup.running") : undefined}
        />
        <Figure
          label={t("administration.figure.mail")}
          value={formatCount(unsent)}
          more={mail.is_configured ? undefined : t("administration.not_set_up")}
        />
        <Figure
          label={t("administration.figure.dois")}
          value={formatCount(unregistered)}
          more={dois.is_configured ? undefined : t("administration.not_set_up")}
        />
      </dl>
    </div>
  );
}
