import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Invitation, invite } from "../../api-client/administration.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { Button } from "../../components/button.tsx";
import { RadioChoice } from "../../components/choice.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { CopyLink } from "./copy-link.tsx";

/** Groups that have a name of their own in the app. */
export const namedRoles = ["administration-moderation", "superuser-access"] as const;
const roles = ["none", ...namedRoles] as const;

/** Invites the owner of an address, who then chooses a name and a password. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<string>("none");
  const [sent, setSent] = useState<Invitation | null>(null);
  const send = useChange(() => invite(email.trim(), role === "none" ? [] : [role]), {
    showsErrorHere: true,
    onDone: setSent,
  });
  const problems = send.error instanceof ApiFailure ? send.error.problems : [];
  const [isChecked, setChecked] = useState(false);
  const isAddress = /^\S+@\S+\.\S+$/.test(email.trim());
  const refused = wordsOf(problems.find(({ field }) => field === "email"));
  const problem = isChecked && !isAddress ? t("administration.invite.address_wrong") : refused;
  if (sent) return <InvitedDialog invitation={sent} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isPending={send.isPending}
      title={t("administration.invite.action")}
      actions={
        <>
          <Button isDisabled={send.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" form={form} variant="primary" isPending={send.isPending} isDisabled={!email.trim()}>
            {t("administration.invite.send")}
          </Button>
        </>
      }
    >
      <p>{t("administration.invite.help")}</p>
      <form
        id={form}
        noValidate
        style={{ display: "contents" }}
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (isAddress) send.mutate();
        }}
      >
        <TextField
          label={t("people.email")}
          type="email"
          value={email}
          onChange={setEmail}
          problem={problem}
          isRequired
          autoFocus
        />
        <RadioChoice
          label={t("people.role")}
          value={role}
          onChange={setRole}
          options={roles.map((id) => ({ id, label: t(`people.role_name.${id}`), help: t(`people.role_help.${id}`) }))}
        />
      </form>
      {send.error && problem === undefined && <InlineNotice tone="danger">{send.error.message}</InlineNotice>}
    </Dialog>
  );
}

/** Says where the invitation went; without a mail server, shows the link to hand over. */
export function InvitedDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useTranslation();
  const { email, link } = invitation;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={link !== undefined}
      title={t(link ? "administration.invite.made" : "administration.invite.sent")}
      actions={
        <Button variant="primary" onPress={onClose}>
          {t("action.done")}
        </Button>
      }
    >
      <p>{t(link ? "administration.invite.made_help" : "administration.invite.sent_help", { email })}</p>
      {link && <CopyLink link={link} />}
    </Dialog>
  );
}
