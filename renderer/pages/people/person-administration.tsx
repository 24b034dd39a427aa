import { KeyRound, ShieldOff, UserCheck, UserX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type AdministeredPerson,
  administeredPersonQuery,
  endAccess,
  giveAccess,
  offerPassword,
  resetSecondFactor,
  type SentReset,
} from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatFull } from "../../format/times.ts";
import styles from "../administration/administration.module.css";
import { CopyLink } from "../administration/copy-link.tsx";
import { QuotaForm } from "./quota-form.tsx";

/** What administrators see and change of a user: access, password, storage (app, Missing 10). */
export function PersonAdministration({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: person, error, refetch } = usePageQuery(administeredPersonQuery(id));
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!person) return <Busy />;
  return (
    <>
      <section className={styles.section} aria-labelledby="account">
        <h2 id="account">{t("administration.person.account")}</h2>
        <dl className={styles.facts}>
          <dt>{t("administration.people.state")}</dt>
          <dd>{t(`administration.people.state_name.${person.state}`)}</dd>
          <dt>{t("administration.person.factor")}</dt>
          <dd>
            {t(person.has_second_factor ? "administration.person.factor_on" : "administration.person.factor_off")}
          </dd>
          <dt>{t("people.email")}</dt>
          <dd>{person.email}</dd>
          <dt>{t("administration.person.created")}</dt>
          <dd>{formatFull(person.created)}</dd>
          <dt>{t("administration.person.last_seen")}</dt>
          <dd>{person.last_seen ? formatFull(person.last_seen) : t("administration.never")}</dd>
        </dl>
        <AccountActions person={person} />
      </section>
      <QuotaForm person={person} />
    </>
  );
}

function AccountActions({ person }: { person: AdministeredPerson }) {
  const { t } = useTranslation();
  const [isEnding, setEnding] = useState(false);
  const [sent, setSent] = useState<SentReset | null>(null);
  const name = person.profile.full_name || person.username;
  const end = useChange(() => endAccess(person.id), { onSettled: () => setEnding(false) });
  const give = useChange(() => giveAccess(person.id));
  const offer = useChange(() => offerPassword(person.id), { onDone: setSent });
  return (
    <div className={styles.actions}>
      {person.state === "active" ? (
        <>
          <Button icon={KeyRound} isPending={offer.isPending} onPress={() => offer.mutate()}>
            {t("administration.person.reset")}
          </Button>
          {person.has_second_factor && !person.is_current_user && <ResetFactor person={person} />}
          {!person.is_current_user && (
            <Button icon={UserX} onPress={() => setEnding(true)}>
              {t("administration.person.deactivate")}
            </Button>
          )}
        </>
      ) : (
        <Button icon={UserCheck} isPending={give.isPending} onPress={() => give.mutate()}>
          {t("administration.person.activate")}
        </Button>
      )}
      <ConfirmDialog
        title={t("administration.person.deactivate_title", { name })}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={() => end.mutate()}
        isPending={end.isPending}
        confirmLabel={t("administration.person.deactivate")}
        isDangerous
      >
        {t("administration.person.deactivate_body")}
      </ConfirmDialog>
      {sent && <ResetDialog sent={sent} onClose={() => setSent(null)} />}
    </div>
  );
}

/** For a user who lost the device and the recovery codes. */
function ResetFactor({ person: { id, username, profile } }: { person: AdministeredPerson }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const reset = useChange(() => resetSecondFactor(id), { onSettled: () => setAsking(false) });
  return (
    <>
      <Button icon={ShieldOff} onPress={() => setAsking(true)}>
        {t("administration.person.reset_factor")}
      </Button>
      <ConfirmDialog
        title={t("administration.person.reset_factor_title", { name: profile.full_name || username })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => reset.mutate()}
        isPending={reset.isPending}
        confirmLabel={t("administration.person.reset_factor_confirm")}
        isDangerous
      >
        {t("administration.person.reset_factor_body")}
      </ConfirmDialog>
    </>
  );
}

/** Says where the link for a new password went, or shows it to hand over. */
function ResetDialog({ sent, onClose }: { sent: SentReset; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={sent.link !== undefined}
      title={t(sent.is_mailed ? "administration.person.reset_sent" : "administration.person.reset_made")}
      actions={
        <Button variant="primary" onPress={onClose}>
          {t("action.done")}
        </Button>
      }
    >
      <p>
        {t(sent.is_mailed ? "administration.person.reset_sent_help" : "administration.person.reset_made_help", {
          email: sent.email,
        })}
      </p>
      {sent.link && <CopyLink link={sent.link} />}
    </Dialog>
  );
}
