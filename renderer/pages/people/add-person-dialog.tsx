import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Checkbox, RadioChoice } from "../../components/choice.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { CommandLine, quoted } from "./command-line.tsx";
import styles from "./people.module.css";

const roles = ["none", "administration-moderation", "superuser-access"] as const;

interface NewPerson {
  username: string;
  email: string;
  full_name: string;
  role: (typeof roles)[number];
  isPrivate: boolean;
}

const blank: NewPerson = { username: "", email: "", full_name: "", role: "none", isPrivate: false };

function commandFor({ username, email, full_name, role, isPrivate }: NewPerson): string {
  return [
    "carrel users create --data DIR",
    `--username ${quoted(username.trim() || "NAME")}`,
    `--email ${quoted(email.trim() || "ADDRESS")}`,
    ...(full_name.trim() ? [`--full-name ${quoted(full_name.trim())}`] : []),
    ...(role === "none" ? [] : [`--role ${role}`]),
    ...(isPrivate ? ["--visibility restricted"] : []),
    "--token desktop",
  ].join(" ");
}

/** Users are created on the server's computer only (requests 2.3). The form writes the command. */
export function AddPersonDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [person, setPerson] = useState(blank);
  const put = (change: Partial<NewPerson>) => setPerson((before) => ({ ...before, ...change }));
  const close = () => {
    setPerson(blank);
    onClose();
  };
  return (
    <Dialog
      wide
      title={t("people.add")}
      isOpen={isOpen}
      onClose={close}
      actions={<Button onPress={close}>{t("action.close")}</Button>}
    >
      <p>{t("people.add_help")}</p>
      <div className={styles.form}>
        <div className={styles.pair}>
          <TextField
            label={t("people.username")}
            value={person.username}
            onChange={(username) => put({ username })}
            autoFocus
          />
          <TextField label={t("people.email")} type="email" value={person.email} onChange={(email) => put({ email })} />
        </div>
        <TextField
          label={t("people.full_name")}
          value={person.full_name}
          onChange={(full_name) => put({ full_name })}
        />
        <RadioChoice
          label={t("people.role")}
          value={person.role}
          onChange={(role) => put({ role: role as NewPerson["role"] })}
          options={roles.map((id) => ({ id, label: t(`people.role_name.${id}`), help: t(`people.role_help.${id}`) }))}
        />
        <Checkbox isSelected={person.isPrivate} onChange={(isPrivate) => put({ isPrivate })}>
          {t("people.private")}
        </Checkbox>
      </div>
      <CommandLine label={t("people.run_there")} command={commandFor(person)} />
      <p className={styles.note}>{t("people.add_after")}</p>
    </Dialog>
  );
}
