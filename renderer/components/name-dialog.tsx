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
  isPending,
  onSave,
  onClose,
}: NameDialogProps) {
  const { t } = useTranslation();
  const form = useId();
  const [name, setName] = useState(suggested);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
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
          <Button type="submit" form={form} variant="primary" isDisabled={!name.trim()} isPending={isPending}>
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
          onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
          maxLength={120}
          autoFocus
        />
      </form>
    </Dialog>
  );
}
