import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FieldNotes } from "./field-notes.tsx";
import fields from "./fields.module.css";

const metadataId = "field-metadata.";

/** A field with several controls: heading, help, controls, problem. */
export function FieldBlock({
  id,
  label,
  help,
  problem,
  isRequired,
  hideLabel,
  children,
}: {
  id?: string;
  label: string;
  help?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  /** The label is for screen readers alone, under a heading that says the same. */
  hideLabel?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className={fields.fieldBlock} id={id} tabIndex={-1} aria-invalid={Boolean(problem) || undefined}>
      <legend className="visually-hidden">{label}</legend>
      {!hideLabel && (
        <span className={fields.label} aria-hidden="true">
          {label}
          {isRequired && <span> ({t("field.required")})</span>}
        </span>
      )}
      {children}
      {id?.startsWith(metadataId) && <FieldNotes field={id.slice(metadataId.length)} />}
      {help && <span className={fields.help}>{help}</span>}
      {problem && <span className={fields.error}>{problem}</span>}
    </fieldset>
  );
}
