import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { createToken } from "../../api-client/tokens.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { CommandLine } from "../people/command-line.tsx";
import styles from "./settings.module.css";

/** Creates a token. Its secret is shown only until the dialog closes. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const [name, setName] = useState("");
  const create = useChange(createToken, { showsErrorHere: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) create.mutate(name.trim());
  };
  if (create.data)
    return (
      <Dialog
        isOpen
        role="alertdialog"
        keepsOpen
        onClose={onClose}
        title={t("tokens.made_title", { name: name.trim() })}
        actions={
          <Button variant="primary" onPress={onClose}>
            {t("action.done")}
          </Button>
        }
      >
        <CommandLine label={t("tokens.secret")} command={create.data} />
        <p className={styles.help}>{t("tokens.secret_help")}</p>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={name !== ""}
      isPending={create.isPending}
      title={t("tokens.add")}
      actions={
        <>
          <Button isDisabled={create.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" form={form} variant="primary" isDisabled={!name.trim()} isPending={create.isPending}>
            {t("tokens.create")}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label={t("tokens.for")}
          description={t("tokens.for_help")}
          value={name}
          onChange={setName}
          maxLength={255}
          autoFocus
        />
      </form>
      {create.error && <InlineNotice tone="danger">{create.error.message}</InlineNotice>}
    </Dialog>
  );
}
