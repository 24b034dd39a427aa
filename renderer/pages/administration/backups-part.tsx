import { DatabaseBackup } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Backups, backupsQuery, beginBackup } from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { ProgressBar } from "../../components/progress.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatBytes } from "../../format/amounts.ts";
import { formatFull } from "../../format/times.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import { CommandLine, quoted } from "../people/command-line.tsx";
import styles from "./administration.module.css";
import { ScheduleForm } from "./schedule-form.tsx";

type Run = Backups["hits"]["hits"][number];

/** Backups: one now, the schedule, what was written, and how to restore one. */
export function BackupsPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(backupsQuery);
  const begin = useChange(beginBackup);
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const runs = data.hits.hits;
  const isRunning = runs.some(({ state }) => state === "running");
  return (
    <div className={styles.panel}>
      <Trouble backups={data} />
      <dl className={styles.facts}>
        <dt>{t("administration.backup.last")}</dt>
        <dd>{data.last_success?.ended ? formatFull(data.last_success.ended) : t("administration.never")}</dd>
        <dt>{t("administration.backup.next")}</dt>
        <dd>{data.next ? formatFull(data.next) : t("administration.backup.when_asked")}</dd>
        <dt>{t("administration.backup.folder")}</dt>
        <dd>
          <code>{data.folder}</code>
        </dd>
      </dl>
      {isRunning ? (
        <ProgressBar
          label={t("administration.backup.running")}
          value={data.running?.total_bytes ? data.running.written_bytes / data.running.total_bytes : 0}
          text={data.running?.total_bytes ? formatBytes(data.running.written_bytes) : ""}
        />
      ) : (
        <div className={styles.actions}>
          <Button variant="primary" icon={DatabaseBackup} isPending={begin.isPending} onPress={() => begin.mutate()}>
            {t("administration.backup.now")}
          </Button>
        </div>
      )}
      <ScheduleForm schedule={data.schedule} />
      <section className={styles.section} aria-labelledby="backups">
        <h2 id="backups">{t("administration.backup.list")}</h2>
        {runs.length === 0 && (
          <EmptyState icon={DatabaseBackup} title={t("administration.backup.none")}>
            {t("administration.backup.none_help")}
          </EmptyState>
        )}
        <ul aria-label={t("administration.backup.list")}>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      </section>
      <Restoring file={data.last_success?.is_kept ? data.last_success.file : "FILE"} />
    </div>
  );
}

/** What is wrong, loudly. */
function Trouble({ backups }: { backups: Backups }) {
  const { t } = useTranslation();
  const { failure, is_overdue, is_same_disk, last_success } = backups;
  return (
    <>
      {failure && (
        <InlineNotice tone="danger" title={t("administration.backup.failed")}>
          {translateRefusal(failure.error ?? "")}
        </InlineNotice>
      )}
      {!failure && is_overdue && <InlineNotice tone="danger">{t("administration.backup.overdue")}</InlineNotice>}
      {!failure && last_success?.missing ? (
        <InlineNotice tone="warn">{t("administration.backup.missing", { count: last_success.missing })}</InlineNotice>
      ) : null}
      {is_same_disk && <InlineNotice tone="warn">{t("administration.backup.same_disk")}</InlineNotice>}
    </>
  );
}

function RunRow({ run }: { run: Run }) {
  const { t } = useTranslation();
  const isFailed = run.state === "failed";
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{formatFull(run.started)}</span>
        <span className={isFailed ? styles.reason : styles.note}>
          {isFailed ? translateRefusal(run.error ?? "") : run.file}
        </span>
      </span>
      <Pill tone={isFailed ? "danger" : run.state === "done" ? "ok" : "info"}>
        {t(`administration.backup.state.${run.state}`)}
      </Pill>
      {run.size !== null && (
        <span className={styles.aside}>
          {run.is_kept ? formatBytes(run.size) : t("administration.backup.file_gone")}
        </span>
      )}
    </li>
  );
}

/** Restoring replaces the whole server, so it is a command on its computer. */
function Restoring({ file }: { file: string }) {
  const { t } = useTranslation();
  return (
    <section className={styles.section} aria-labelledby="restoring">
      <h2 id="restoring">{t("administration.backup.restore")}</h2>
      <p className={styles.note}>{t("administration.backup.restore_help")}</p>
      <CommandLine
        label={t("administration.backup.restore_command")}
        command={`carrel restore ${quoted(file)} --data NEW-FOLDER`}
      />
      <CommandLine
        label={t("administration.backup.start_command")}
        command="carrel server --data NEW-FOLDER --port 5000"
      />
    </section>
  );
}
