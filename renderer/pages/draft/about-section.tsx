import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Right, Subject } from "../../api-client/record-types.ts";
import { subjectsQuery } from "../../api-client/vocabularies.ts";
import { ComboBox } from "../../components/combo-box.tsx";
import { onlyOnce, onPasteRows } from "../../components/pasted-cells.ts";
import { TextField } from "../../components/text-field.tsx";
import { titleText } from "../../format/names.ts";
import styles from "./draft.module.css";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { TagList } from "./fields/tag-list.tsx";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

const without = <T,>(list: T[], index: number) => list.filter((_, at) => at !== index);

/** Licences, subjects, languages, version, publisher. */
export function AboutSection() {
  const { t } = useTranslation();
  const version = useField("version");
  const publisher = useField("publisher");
  return (
    <>
      <Licences />
      <Subjects />
      <Languages />
      <div className={styles.pair}>
        <div id={version.id} className={fields.fieldBlock}>
          <TextField
            label={t("draft.version")}
            description={t("draft.version_help")}
            value={version.value ?? ""}
            onChange={version.set}
            onBlur={version.onBlur}
            problem={version.problem}
          />
          <FieldNotes field="version" />
        </div>
        <div id={publisher.id} className={fields.fieldBlock}>
          <TextField
            label={t("draft.publisher")}
            value={publisher.value ?? ""}
            onChange={publisher.set}
            onBlur={publisher.onBlur}
            problem={publisher.problem}
          />
          <FieldNotes field="publisher" />
        </div>
      </div>
    </>
  );
}

function Licences() {
  const { t } = useTranslation();
  const field = useField("rights");
  const rights: Right[] = field.value ?? [];
  const name = ({ id, title }: Right) => titleText(title, id ?? t("draft.licence"));
  return (
    <FieldBlock id={field.id} label={t("draft.licences")} problem={field.problem} help={t("draft.licences_help")}>
      <TagList
        label={t("draft.licences")}
        tags={rights.map((right) => ({ id: right.id ?? name(right), label: name(right) }))}
        onRemove={(index) => field.set(without(rights, index))}
      />
      <VocabularyPicker
        key={rights.length}
        type="licenses"
        isLong
        hasRecommended
        hideLabel
        label={t("draft.licence_add")}
        placeholder={t("draft.licence_add")}
        value={undefined}
        onChange={(entry) => {
          if (entry && !rights.some(({ id }) => id === entry.id))
            field.set([...rights, { id: entry.id, title: entry.title ?? {} }]);
        }}
      />
    </FieldBlock>
  );
}

function Languages() {
  const { t } = useTranslation();
  const field = useField("languages");
  const languages = field.value ?? [];
  return (
    <FieldBlock id={field.id} label={t("draft.languages")} problem={field.problem}>
      <TagList
        label={t("draft.languages")}
        tags={languages.map(({ id, title }) => ({ id, label: titleText(title, id) }))}
        onRemove={(index) => field.set(without(languages, index))}
      />
      <VocabularyPicker
        key={languages.length}
        type="languages"
        isLong
        hideLabel
        label={t("draft.language_add")}
        placeholder={t("draft.language_add")}
        value={undefined}
        onChange={(entry) => {
          if (entry && !languages.some(({ id }) => id === entry.id)) field.set([...languages, entry]);
        }}
      />
    </FieldBlock>
  );
}

function Subjects() {
  const { t } = useTranslation();
  const field = useField("subjects");
  const [text, setText] = useState("");
  const { data = [] } = useQuery(subjectsQuery(text));
  const subjects: Subject[] = field.value ?? [];
  const add = (added: Subject[]) => {
    const [ids, words] = [new Set(subjects.map(({ id }) => id)), new Set(subjects.map(({ subject }) => subject))];
    field.set([...subjects, ...added.filter(({ id, subject }) => !(id ? ids.has(id) : words.has(subject)))]);
  };
  const addWords = (words: string[]) =>
    add(onlyOnce(words.flatMap((one) => one.split(/[,;]/)).map((one) => one.trim())).map((subject) => ({ subject })));
  return (
    <FieldBlock id={field.id} label={t("draft.subjects")} help={t("draft.subjects_help")} problem={field.problem}>
      <TagList
        label={t("draft.subjects")}
        tags={subjects.map(({ id, subject }) => ({ id: id ?? subject ?? "", label: subject ?? id ?? "" }))}
        onRemove={(index) => field.set(without(subjects, index))}
      />
      <ComboBox
        hideLabel
        label={t("draft.subject_add")}
        placeholder={t("draft.subject_add")}
        options={text ? data.map(({ id, subject, scheme }) => ({ id, label: subject, help: scheme })) : []}
        inputValue={text}
        onInputChange={setText}
        onChoose={(id) => {
          const entry = data.find((one) => one.id === id);
          if (!entry) return;
          add([{ id, subject: entry.subject }]);
          setText("");
        }}
        onText={(typed) => {
          addWords([typed]);
          setText("");
        }}
        onPaste={onPasteRows((rows) => addWords(rows.flat()))}
      />
    </FieldBlock>
  );
}
