import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fingerprint, MailCheck, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type DoiQueue,
  discardMail,
  doisQuery,
  type MailQueue,
  mailQuery,
  retryQueue,
} from "../../api-client/administration.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, EmptyState, InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./administration.module.css";

type Mail = MailQueue["hits"]["hits"][number];
type Doi = DoiQueue["hits"]["hits"][number];

function useRetry(queue: "mail" | "dois") {
  const { t } = useTranslation();
  return useChange((id: string | undefined) => retryQueue(queue, id), {
    onSuccess: ({ retried }) =>
      showToast({ tone: "ok", text: t(`administration.${queue}.retried`, { count: retried }) }),
  });
}

/** Unsent mail: what waits, what failed and why. */
export function MailPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(mailQuery);
  const retry = useRetry("mail");
  const [doomed, setDoomed] = useState<Mail | null>(null);
  const discard = useChange((mail: Mail) => discardMail(mail.id), { onSettled: () => setDoomed(null) });
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { hits, counts, is_configured } = data;
  return (
    <div className={styles.panel}>
      {!is_configured && <InlineNotice>{t("administration.mail.not_set_up")}</InlineNotice>}
      {counts.failing + counts.given_up > 0 && (
        <div className={styles.actions}>
          <Button icon={RotateCcw} isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
            {t("administration.retry_all")}
          </Button>
        </div>
      )}
      {hits.hits.length === 0 && (
        <EmptyState icon={MailCheck} title={t("administration.mail.none")}>
          {t("administration.mail.none_help")}
        </EmptyState>
      )}
      <ul aria-label={t("administration.part.mail")}>
        {hits.hits.map((mail) => (
          <MailRow key={mail.id} mail={mail} onRetry={() => retry.mutate(mail.id)} onDiscard={() => setDoomed(mail)} />
        ))}
      </ul>
      <ConfirmDialog
        title={t("administration.mail.discard_title")}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && discard.mutate(doomed)}
        isPending={discard.isPending}
        confirmLabel={t("administration.mail.discard")}
        isDangerous
      >
        {t("administration.mail.discard_body", { to: doomed?.to ?? "" })}
      </ConfirmDialog>
    </div>
  );
}

function MailRow({ mail, onRetry, onDiscard }: { mail: Mail; onRetry: () => void; onDiscard: () => void }) {
  const { t } = useTranslation();
  const to = mail.to ?? t("administration.mail.unknown");
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{to}</span>
        <span className={mail.reason ? styles.reason : styles.note}>{mail.reason ?? mail.trigger}</span>
        <NextAttempt of={mail} />
      </span>
      <Pill tone={mail.state === "waiting" ? "neutral" : "danger"}>{t(`administration.mail.state.${mail.state}`)}</Pill>
      {mail.state !== "waiting" && (
        <IconButton small icon={RotateCcw} label={t("administration.mail.retry_to", { to })} onPress={onRetry} />
      )}
      <IconButton small icon={Trash2} label={t("administration.mail.discard_to", { to })} onPress={onDiscard} />
    </li>
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
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(doisQuery);
  const retry = useRetry("dois");
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { hits, counts, is_configured } = data;
  return (
    <div className={styles.panel}>
      {!is_configured && <InlineNotice>{t("administration.dois.not_set_up")}</InlineNotice>}
      {counts.failing + counts.refused > 0 && (
        <div className={styles.actions}>
          <Button icon={RotateCcw} isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
            {t("administration.retry_all")}
          </Button>
        </div>
      )}
      {hits.hits.length === 0 && (
        <EmptyState icon={Fingerprint} title={t("administration.dois.none")}>
          {t("administration.dois.none_help")}
        </EmptyState>
      )}
      <ul aria-label={t("administration.part.dois")}>
        {hits.hits.map((doi) => (
          <DoiRow key={doi.record} doi={doi} onRetry={() => retry.mutate(doi.record)} />
        ))}
      </ul>
    </div>
  );
}

function DoiRow({ doi, onRetry }: { doi: Doi; onRetry: () => void }) {
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
      {isFailed && (
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
