import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { TextField } from "../../components/text-field.tsx";
import { isoDate } from "../../format/dates.ts";
import { DoiField } from "./doi-field.tsx";
import styles from "./draft.module.css";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

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
            description={t("draft.publication_date_help")}
            isRequired
            value={date.value ?? ""}
            onChange={date.set}
            onBlur={() => {
              if (date.value) date.set(isoDate(date.value));
              date.onBlur();
            }}
            problem={date.problem}
          />
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
        />
      </FieldBlock>
      <DoiField />
    </>
  );
}
