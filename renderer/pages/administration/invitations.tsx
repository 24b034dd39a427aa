import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Invitation,
  invitationsQuery,
  resendInvitation,
  withdrawInvitation,
} from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./administration.module.css";
import { InvitedDialog, namedRoles } from "./invite-dialog.tsx";

/** Invitations that nobody used yet; nothing when there are none. */
export function Invitations() {
  const { t } = useTranslation();
  const { data, error } = usePageQuery(invitationsQuery);
  const [sent, setSent] = useState<Invitation | null>(null);
  const open = data?.hits.hits ?? [];
  if (error) return <LoadFailure error={error} />;
  if (open.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="invitations">
      <h2 id="invitations">{t("administration.invite.open")}</h2>
      <ul aria-label={t("administration.invite.open")}>
        {open.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onSent={setSent} />
        ))}
      </ul>
      {sent && <InvitedDialog invitation={sent} onClose={() => setSent(null)} />}
    </section>
  );
}

function InvitationRow({ invitation, onSent }: { invitation: Invitation; onSent: (invitation: Invitation) => void }) {
  const { t } = useTranslation();
  const { id, email, roles, expires_at } = invitation;
  // The new invitation has another id, so this row is gone before the answer is known here.
  const resend = useChange(() => resendInvitation(id), { onSuccess: onSent });
  const withdraw = useChange(() => withdrawInvitation(id));
  const nameOf = (role: string): string => {
    const known = namedRoles.find((one) => one === role);
    return known ? t(`people.role_name.${known}`) : role;
  };
  const isOver = Date.parse(expires_at) < Date.now();
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{email}</span>
        <span className={styles.note}>
          {[...roles.map(nameOf), t("administration.invite.until", { time: formatFull(expires_at) })].join(" · ")}
        </span>
      </span>
      {isOver && <Pill tone="warn">{t("administration.invite.expired")}</Pill>}
      <Button
        small
        isPending={resend.isPending}
        aria-label={t("administration.invite.resend_to", { email })}
        onPress={() => resend.mutate()}
      >
        {t("administration.invite.resend")}
      </Button>
      <Button
        small
        isPending={withdraw.isPending}
        aria-label={t("administration.invite.withdraw_of", { email })}
        onPress={() => withdraw.mutate()}
      >
        {t("administration.invite.withdraw")}
      </Button>
    </li>
  );
}
