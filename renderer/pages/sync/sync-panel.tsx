import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleCheck, FileDown, Pause, Play, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import {
  conflictsQuery,
  doneQuery,
  operationsQuery,
  pauseSync,
  resumeSync,
  runSync,
  syncStatusQuery,
  trayQuery,
} from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatAgo, formatSince, isToday } from "../../format/times.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import { ConflictRows, SameForAll } from "./conflict-row.tsx";
import { ObjectLink } from "./object-link.tsx";
import { groupOperations } from "./operation-groups.ts";
import { DoneRow, OperationGroup, TransferRow } from "./operation-row.tsx";
import { saveReport } from "./save-report.ts";
import styles from "./sync.module.css";
import { TrayRow } from "./tray-row.tsx";

// Thousands may wait; shows the first ones.
const shownRows = 100;

/** The sync panel: status, decisions for the user, transfers, pending changes. */
export function SyncPanel({ onLeave }: { onLeave?: () => void }) {
  const { t } = useTranslation();
  const { data: status, error, refetch } = usePageQuery(syncStatusQuery);
  const operations = useQuery(operationsQuery);
  const tray = useQuery(trayQuery);
  const conflicts = useQuery(conflictsQuery);
  const done = useQuery(doneQuery).data?.filter(({ delivered }) => isToday(delivered)) ?? [];
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!status) return <Busy />;
  const refused = tray.data?.hits.hits ?? [];
  const disputed = conflicts.data?.hits.hits ?? [];
  const unsent = operations.data?.hits.hits ?? [];
  const sending = unsent.filter(({ state }) => state === "sending" && status.online);
  const waiting = unsent.filter((one) => !sending.includes(one));
  const { transfers } = status;
  const { pending, sending: sent } = status;
  const notTaken = status.upstream?.not_taken ?? [];
  const asking = refused.length + disputed.length + notTaken.reduce((sum, { count }) => sum + count, 0);
  const isQuiet = asking + pending + sent + transfers.length === 0;
  return (
    <div className={styles.panel}>
      <StatusHead status={status} onLeave={onLeave} />
      {isQuiet && status.state !== "local" && (
        <EmptyState icon={CircleCheck} title={t("sync.nothing_waits")}>
          {t("sync.nothing_waits_help")}
        </EmptyState>
      )}
      {asking > 0 && (
        <Group title={t("sync.group.needs_you")} count={asking}>
          {notTaken.map((draft) => (
            <NotTakenRow key={draft.id} draft={draft} name={status.upstream?.name ?? ""} onLeave={onLeave} />
          ))}
          {refused.map((entry) => (
            <TrayRow key={entry.id} entry={entry} onLeave={onLeave} />
          ))}
          <ConflictRows conflicts={disputed} onLeave={onLeave} />
          <SameForAll conflicts={disputed} />
        </Group>
      )}
      {transfers.length > 0 && (
        <Group title={t("sync.group.transfers")} count={transfers.length}>
          {transfers.map((transfer) => (
            <TransferRow key={`${transfer.record}/${transfer.key}`} transfer={transfer} />
          ))}
        </Group>
      )}
      {sending.length > 0 && (
        <Group title={t("sync.group.sending")} count={sending.length}>
          {groupOperations(sending.slice(0, shownRows)).map((group) => (
            <OperationGroup key={group[0]?.id} operations={group} onLeave={onLeave} />
          ))}
        </Group>
      )}
      {waiting.length > 0 && (
        <Group title={t("sync.group.waiting")} count={(operations.data?.hits.total ?? 0) - sending.length}>
          {groupOperations(waiting.slice(0, shownRows)).map((group) => (
            <OperationGroup key={group[0]?.id} operations={group} onLeave={onLeave} />
          ))}
          {waiting.length > shownRows && (
            <p className={styles.more}>{t("sync.and_more", { count: waiting.length - shownRows })}</p>
          )}
        </Group>
      )}
      {done.length > 0 && (
        <Group title={t("sync.group.done")} count={done.length}>
          {done.map((one) => (
            <DoneRow key={one.id} done={one} onLeave={onLeave} />
          ))}
        </Group>
      )}
    </div>
  );
}

interface NotTakenProps {
  draft: { id: string; title: string; count: number };
  /** The server's name. */
  name: string;
  onLeave: (() => void) | undefined;
}

/** A draft with values that a non-Carrel server did not store. */
function NotTakenRow({ draft: { id, title, count }, name, onLeave }: NotTakenProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what} dir="auto">
          <ObjectLink object={{ kind: "draft", id }} onLeave={onLeave}>
            {title || t("library.untitled")}
          </ObjectLink>
        </span>
        <StateWord state="needs" />
      </div>
      <span className={styles.reason}>{t("upstream.not_taken_row", { name, count })}</span>
    </div>
  );
}

function Group({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2>
        {title} <span>{count}</span>
      </h2>
      {children}
    </section>
  );
}

/** A question that stops sync until the user answers. */
function PendingQuestion({ status, onLeave }: { status: SyncStatus; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const agree = useChange(resumeSync);
  if (!status.asks) return null;
  const toServer = () => {
    onLeave?.();
    void navigate({ to: "/settings/{-$page}", params: { page: "server" } });
  };
  const actions = status.asks === "removal" && (
    <>
      <Button small variant="danger" isPending={agree.isPending} onPress={() => agree.mutate()}>
        {t("sync.asks.removal_agree")}
      </Button>
      <Button small onPress={toServer}>
        {t("sync.asks.removal_leave")}
      </Button>
    </>
  );
  return (
    <InlineNotice tone="warn" title={t(`sync.asks.${status.asks}`)} actions={actions}>
      {t(`sync.asks.${status.asks}_help`)} {status.asks === "update" && translateRefusal(status.last_error ?? "")}
    </InlineNotice>
  );
}

/** Publications that had no answer. */
function Unsure({ status: { upstream }, onLeave }: { status: SyncStatus; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  if (!upstream || upstream.unsure.length === 0) return null;
  return (
    <InlineNotice tone="warn" title={t("upstream.unsure", { name: upstream.name })}>
      {upstream.unsure.map(({ id, title }) => (
        <ObjectLink key={id} object={{ kind: "draft", id }} onLeave={onLeave}>
          {title || t("library.untitled")}
        </ObjectLink>
      ))}
    </InlineNotice>
  );
}

/** The status as a sentence. */
function useSentence(status: SyncStatus): string {
  const { t } = useTranslation();
  const waiting = status.pending + status.sending;
  const isResting = status.state === "offline" || status.state === "paused" || status.state === "sign_in";
  const sentence = status.asks
    ? t(status.asks === "space" ? "sync.asks.space_sentence" : "sync.asks.sentence")
    : status.state === "offline" && status.last_success
      ? t("sync.offline_since", { since: formatSince(status.last_success) })
      : t(`sync.sentence.${status.state}`);
  return [sentence, ...(isResting && waiting > 0 ? [t("sync.waits", { count: waiting })] : [])].join(" ");
}

function StatusHead({ status, onLeave }: { status: SyncStatus; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const toggle = useChange(status.paused ? resumeSync : pauseSync);
  const run = useChange(runSync);
  const report = useChange(saveReport);
  const reason = !status.asks && (!status.online || status.paused) ? status.last_error : null;
  const toSettings = () => {
    onLeave?.();
    void navigate({ to: "/settings" });
  };
  return (
    <div className={styles.status}>
      <p className={styles.sentence}>{useSentence(status)}</p>
      <PendingQuestion status={status} onLeave={onLeave} />
      <Unsure status={status} onLeave={onLeave} />
      {status.server && (
        <dl className={styles.facts}>
          <dt>{t("sync.server")}</dt>
          <dd>{status.server}</dd>
          <dt>{t("sync.last_success")}</dt>
          <dd>{status.last_success ? formatAgo(status.last_success) : t("sync.never")}</dd>
        </dl>
      )}
      {reason && <p className={styles.reason}>{translateRefusal(reason)}</p>}
      {status.notice && <p className={styles.reason}>{translateRefusal(status.notice)}</p>}
      <div className={styles.actions}>
        {status.state === "local" || status.state === "sign_in" ? (
          <Button variant="primary" onPress={toSettings}>
            {t(status.state === "local" ? "sync.connect" : "sync.pill.sign_in")}
          </Button>
        ) : (
          <Button icon={RefreshCw} isPending={run.isPending} isDisabled={status.paused} onPress={() => run.mutate()}>
            {t("sync.now")}
          </Button>
        )}
        {status.server && status.asks !== "removal" && (
          <Button icon={status.paused ? Play : Pause} isPending={toggle.isPending} onPress={() => toggle.mutate()}>
            {t(status.paused ? "action.resume" : "action.pause")}
          </Button>
        )}
        {status.server && (
          <Button variant="quiet" icon={FileDown} isPending={report.isPending} onPress={() => report.mutate()}>
            {t("sync.report")}
          </Button>
        )}
      </div>
    </div>
  );
}
