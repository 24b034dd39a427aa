import { Link } from "@tanstack/react-router";
import { Fingerprint, type LucideIcon, MailCheck, RotateCcw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type DoiQueue,
  discardMail,
  doisQuery,
  type MailQueue,
  mailQuery,
  retryQueue,
} from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, EmptyState, InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatCount } from "../../format/amounts.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./administration.module.css";
import { mailCause } from "./mail-failure.ts";

type Mail = MailQueue["hits"]["hits"][number];
type Doi = DoiQueue["hits"]["hits"][number];

function useRetry(queue: "mail" | "dois") {
  const { t } = useTranslation();
  return useChange((id: string | undefined) => retryQueue(queue, id), {
    onSuccess: ({ retried }) =>
      showToast({ tone: "ok", text: t(`administration.${queue}.retried`, { count: retried }) }),
  });
}

interface QueuePanelProps {
  queue: "mail" | "dois";
  icon: LucideIcon;
  of: MailQueue | DoiQueue;
  /** How many entries can be retried together. */
  failed: number;
  retry: ReturnType<typeof useRetry>;
  /** The rows. */
  children: ReactNode;
}

/** A queue as a list, with the button that retries all failures. */
function QueuePanel({ queue, icon, of, failed, retry, children }: QueuePanelProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.panel}>
      {!of.is_configured && <InlineNotice>{t(`administration.${queue}.not_set_up`)}</InlineNotice>}
      {failed > 0 && of.is_configured && (
        <div className={styles.actions}>
          <Button icon={RotateCcw} isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
            {t("administration.retry_all")}
          </Button>
        </div>
      )}
      {of.hits.hits.length === 0 && (
        <EmptyState icon={icon} title={t(`administration.${queue}.none`)}>
          {t(`administration.${queue}.none_help`)}
        </EmptyState>
      )}
      <ul aria-label={t(`administration.part.${queue}`)}>{children}</ul>
      {of.hits.total > of.hits.hits.length && (
        <p className={styles.note}>
          {t("administration.queue_cut", {
            shown: formatCount(of.hits.hits.length),
            total: formatCount(of.hits.total),
          })}
        </p>
      )}
    </div>
  );
}

/** Unsent mail: what waits, what failed and why. */
export function MailPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(mailQuery);
  const retry = useRetry("mail");
  const aboutOf = useMailSubject();
  const [doomed, setDoomed] = useState<Mail | null>(null);
  const discard = useChange((mail: Mail) => discardMail(mail.id), { onSettled: () => setDoomed(null) });
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { hits, counts } = data;
  return (
    <>
      <QueuePanel queue="mail" icon={MailCheck} of={data} failed={counts.failing + counts.given_up} retry={retry}>
        {hits.hits.map((mail) => (
          <MailRow
            key={mail.id}
            mail={mail}
            onRetry={data.is_configured ? () => retry.mutate(mail.id) : undefined}
            onDiscard={() => setDoomed(mail)}
          />
        ))}
      </QueuePanel>
      <ConfirmDialog
        title={t("administration.mail.discard_title")}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && discard.mutate(doomed)}
        isPending={discard.isPending}
        confirmLabel={t("administration.mail.discard")}
        isDangerous
      >
        {doomed && t("administration.mail.discard_body", { to: doomed.to ?? "", about: aboutOf(doomed) })}
      </ConfirmDialog>
    </>
  );
}

/** What mail tells of, if it is not a request. A newer server may send others. */
const subjects = [
  "invitation",
  "reset",
  "confirmation",
  "changed",
  "way-added",
  "way-removed",
  "second-factor",
  "backup-failed",
  "confirm",
  "record_deleted",
] as const;

function useMailSubject() {
  const { t } = useTranslation();
  return ({ trigger }: Mail): string =>
    t(`administration.mail.about.${subjects.find((one) => one === trigger) ?? "request"}`);
}

interface MailRowProps {
  mail: Mail;
  /** Undefined: nothing sends it. */
  onRetry: (() => void) | undefined;
  onDiscard: () => void;
}

function MailRow({ mail, onRetry, onDiscard }: MailRowProps) {
  const { t } = useTranslation();
  const aboutOf = useMailSubject();
  const to = mail.to ?? t("administration.mail.unknown");
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{to}</span>
        <span className={styles.note}>{aboutOf(mail)}</span>
        {mail.reason && <MailReason reason={mail.reason} />}
        <NextAttempt of={mail} />
      </span>
      <Pill tone={mail.state === "waiting" ? "neutral" : "danger"}>{t(`administration.mail.state.${mail.state}`)}</Pill>
      {onRetry && mail.state !== "waiting" && (
        <IconButton small icon={RotateCcw} label={t("administration.mail.retry_to", { to })} onPress={onRetry} />
      )}
      <IconButton small icon={Trash2} label={t("administration.mail.discard_to", { to })} onPress={onDiscard} />
    </li>
  );
}

/** What a failure means and what to do; below it, what the mail server or the system said. */
function MailReason({ reason }: { reason: string }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles.reason}>{t(`administration.mail.cause.${mailCause(reason)}`)}</span>
      <span className={styles.meta}>{t("administration.mail.technical", { reason })}</span>
    </>
  );
}

function NextAttempt({ of }: { of: Pick<Mail, "next_attempt" | "attempts"> }) {
  const { t } = useTranslation();
  if (!of.next_attempt) return null;
  return (
    <span className={styles.meta}>
      {t("administration.next_attempt", { time: formatFull(of.next_attempt), count: of.attempts ?? 0 })}
    </span>
  );
}

/** DOIs that are not registered as they are. */
export function DoisPart() {
  const { data, error, refetch } = usePageQuery(doisQuery);
  const retry = useRetry("dois");
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { hits, counts } = data;
  return (
    <QueuePanel queue="dois" icon={Fingerprint} of={data} failed={counts.failing + counts.refused} retry={retry}>
      {hits.hits.map((doi) => (
        <DoiRow key={doi.record} doi={doi} onRetry={data.is_configured ? () => retry.mutate(doi.record) : undefined} />
      ))}
    </QueuePanel>
  );
}

function DoiRow({ doi, onRetry }: { doi: Doi; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  const isFailed = doi.state === "failing" || doi.state === "refused";
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <Link to="/records/$id" params={{ id: doi.record }} className={styles.name ?? ""}>
          {doi.doi}
        </Link>
        {doi.reason && <span className={styles.reason}>{doi.reason}</span>}
        <NextAttempt of={doi} />
      </span>
      <Pill tone={isFailed ? "danger" : "neutral"}>{t(`administration.dois.state.${doi.state}`)}</Pill>
      {onRetry && isFailed && (
        <IconButton
          small
          icon={RotateCcw}
          label={t("administration.dois.retry_of", { doi: doi.doi })}
          onPress={onRetry}
        />
      )}
    </li>
  );
}
