import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./text-field.tsx";

interface NameDialogProps {
  title: string;
  label: string;
  description?: string;
  /** Selected, so that typing replaces it. */
  name: string;
  /** Names that the user gave already: with two of one name, nobody could tell them apart. */
  taken: readonly string[];
  isPending: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for a name. Enter saves. */
export function NameDialog({
  title,
  label,
  description,
  name: suggested,
  taken,
  isPending,
  onSave,
  onClose,
}: NameDialogProps) {
  const { t } = useTranslation();
  const form = useId();
  const [name, setName] = useState(suggested);
  // While it is being saved, the name is in the list already.
  const isTaken = !isPending && taken.includes(name.trim());
  const maySave = name.trim() !== "" && !isTaken;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (maySave) onSave(name.trim());
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isPending={isPending}
      actions={
        <>
          <Button isDisabled={isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" form={form} variant="primary" isDisabled={!maySave} isPending={isPending}>
            {t("action.save")}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={onSubmit}>
        <TextField
          label={label}
          description={description}
          value={name}
          onChange={setName}
          problem={isTaken ? t("state.name_taken") : undefined}
          onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
          maxLength={120}
          autoFocus
        />
      </form>
    </Dialog>
  );
}
