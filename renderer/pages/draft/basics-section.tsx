import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { dateInterval } from "../../../shared/metadata/edtf.schema.ts";
import { Button } from "../../components/button.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { TextField } from "../../components/text-field.tsx";
import { datesIn, isoDate } from "../../format/dates.ts";
import { formatEdtf } from "../../format/times.ts";
import { DoiField } from "./doi-field.tsx";
import styles from "./draft.module.css";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

/** The days that a date such as 3/4/2026 may mean, to choose from. */
function DateChoice({ text, onChoose }: { text: string; onChoose: (date: string) => void }) {
  const { t } = useTranslation();
  const dates = datesIn(text);
  if (dates.length < 2) return null;
  return (
    <div className={fields.buttons}>
      <span className={fields.help}>{t("draft.which_date")}</span>
      {dates.map((date) => (
        <Button key={date} small onPress={() => onChoose(date)}>
          {formatEdtf(date)}
        </Button>
      ))}
    </div>
  );
}

function TitleField() {
  const { t } = useTranslation();
  const { isNew = false } = useLocation().state;
  const { id, value, set, onBlur, problem } = useField("title");
  return (
    <div id={id} className={fields.fieldBlock}>
      <TextField
        label={t("draft.title")}
        isRequired
        wraps
        autoFocus={isNew && !value}
        value={value ?? ""}
        onChange={set}
        onBlur={onBlur}
        problem={problem}
      />
      <FieldNotes field="title" />
    </div>
  );
}

function TypeField() {
  const { t } = useTranslation();
  const { id, value, set, onBlur, problem } = useField("resource_type");
  return (
    <div id={id} className={fields.fieldBlock}>
      <VocabularyPicker
        type="resourcetypes"
        label={t("draft.resource_type")}
        placeholder={t("draft.resource_type_hint")}
        isRequired
        value={value}
        onChange={set}
        onBlur={onBlur}
        problem={problem}
      />
      <FieldNotes field="resource_type" />
    </div>
  );
}

function DateField() {
  const { t } = useTranslation();
  const { id, value = "", set, onBlur, problem } = useField("publication_date");
  return (
    <div id={id} className={fields.fieldBlock}>
      <TextField
        label={t("draft.publication_date")}
        description={dateInterval(value) ? formatEdtf(value) : t("draft.publication_date_help")}
        isRequired
        value={value}
        onChange={set}
        onBlur={() => {
          if (value) set(isoDate(value));
          onBlur();
        }}
        problem={problem}
      />
      <DateChoice text={value} onChoose={set} />
      <FieldNotes field="publication_date" />
    </div>
  );
}

function DescriptionField() {
  const { t } = useTranslation();
  const { id, value, set, onBlur, problem } = useField("description");
  return (
    <FieldBlock id={id} label={t("draft.description")} help={t("draft.description_help")} problem={problem}>
      <RichTextEditor
        label={t("draft.description")}
        hideLabel
        value={value ?? ""}
        onChange={set}
        onBlur={onBlur}
        isInvalid={Boolean(problem)}
        hasOwnUndo={false}
      />
    </FieldBlock>
  );
}

/** Title, type, date, description, DOI: each a component of its own, so that a letter renders its field alone. */
export function BasicsSection() {
  return (
    <>
      <TitleField />
      <div className={styles.pair}>
        <TypeField />
        <DateField />
      </div>
      <DescriptionField />
      <DoiField />
    </>
  );
}
