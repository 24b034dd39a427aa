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

/** Title, type, date, description, DOI. */
export function BasicsSection() {
  const { t } = useTranslation();
  const { isNew = false } = useLocation().state;
  const title = useField("title");
  const type = useField("resource_type");
  const date = useField("publication_date");
  const description = useField("description");
  return (
    <>
      <div id={title.id} className={fields.fieldBlock}>
        <TextField
          label={t("draft.title")}
          isRequired
          wraps
          autoFocus={isNew && !title.value}
          value={title.value ?? ""}
          onChange={title.set}
          onBlur={title.onBlur}
          problem={title.problem}
        />
        <FieldNotes field="title" />
      </div>
      <div className={styles.pair}>
        <div id={type.id} className={fields.fieldBlock}>
          <VocabularyPicker
            type="resourcetypes"
            label={t("draft.resource_type")}
            placeholder={t("draft.resource_type_hint")}
            isRequired
            value={type.value}
            onChange={type.set}
            onBlur={type.onBlur}
            problem={type.problem}
          />
          <FieldNotes field="resource_type" />
        </div>
        <div id={date.id} className={fields.fieldBlock}>
          <TextField
            label={t("draft.publication_date")}
            description={
              dateInterval(date.value ?? "") ? formatEdtf(date.value ?? "") : t("draft.publication_date_help")
            }
            isRequired
            value={date.value ?? ""}
            onChange={date.set}
            onBlur={() => {
              if (date.value) date.set(isoDate(date.value));
              date.onBlur();
            }}
            problem={date.problem}
          />
          <DateChoice text={date.value ?? ""} onChoose={date.set} />
          <FieldNotes field="publication_date" />
        </div>
      </div>
      <FieldBlock
        id={description.id}
        label={t("draft.description")}
        help={t("draft.description_help")}
        problem={description.problem}
      >
        <RichTextEditor
          label={t("draft.description")}
          hideLabel
          value={description.value ?? ""}
          onChange={description.set}
          onBlur={description.onBlur}
          isInvalid={Boolean(description.problem)}
          hasOwnUndo={false}
        />
      </FieldBlock>
      <DoiField />
    </>
  );
}
