import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Metadata, VocabularyRef } from "../../api-client/record-types.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { escapeHtml, htmlWords, unescapeHtml } from "../../format/html-words.ts";
import { titleText } from "../../format/names.ts";
import { useField } from "./draft-context.ts";
import { EntryRows } from "./fields/entry-rows.tsx";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

type Entry = { type?: VocabularyRef } & Record<string, unknown>;

/** Lists of texts: the field, the key of its text, and the vocabulary of its type. */
const lists = [
  { key: "dates", member: "date", types: "datetypes" },
  { key: "additional_titles", member: "title", types: "titletypes" },
  { key: "additional_descriptions", member: "description", types: "descriptiontypes", isHtml: true },
  { key: "identifiers", member: "identifier" },
  { key: "references", member: "reference" },
] as const;

/** The text of a line stored as HTML, with trailing spaces. */
const typedText = (html: string) => (html.includes("<") ? htmlWords(html) : unescapeHtml(html));

/** Dates, additional titles and descriptions, identifiers, references, copyright. */
export function MoreSection() {
  const { t } = useTranslation();
  const copyright = useField("copyright");
  return (
    <>
      {lists.map((list) => (
        <TextList key={list.key} list={list} />
      ))}
      <div id={copyright.id} className={fields.fieldBlock}>
        <TextField
          label={t("draft.field.copyright")}
          description={t("draft.help.copyright")}
          value={typedText(String(copyright.value ?? ""))}
          onChange={(text) => copyright.set(escapeHtml(text))}
          onBlur={copyright.onBlur}
          problem={copyright.problem}
        />
        <FieldNotes field="copyright" />
      </div>
    </>
  );
}

function TextList({ list }: { list: (typeof lists)[number] }) {
  const { t } = useTranslation();
  const { key, member } = list;
  const isHtml = "isHtml" in list;
  const types = "types" in list ? list.types : undefined;
  const field = useField<keyof Metadata & string>(key);
  const [type, setType] = useState<VocabularyRef>();
  const [text, setText] = useState("");
  const words = text.trim();
  const isReady = words !== "" && (types === undefined || type !== undefined);
  const entries = (field.value ?? []) as Entry[];
  const set = (next: Entry[]) => {
    field.set(next);
    field.onBlur();
  };
  const add = () => {
    if (!isReady) return;
    set([...entries, { [member]: isHtml ? `<p>${escapeHtml(words)}</p>` : words, ...(type ? { type } : {}) }]);
    setText("");
  };
  const textOf = (entry: Entry) => (isHtml ? htmlWords(String(entry[member])) : String(entry[member]));
  const label = t(`draft.field.${key}`);
  return (
    <FieldBlock id={field.id} label={label} help={t(`draft.help.${key}`)} problem={field.problem}>
      <EntryRows entries={entries} nameOf={textOf} onChange={set}>
        {(entry) => (
          <>
            {entry.type && <span className={fields.rowType}>{titleText(entry.type.title, entry.type.id)}</span>}
            {textOf(entry)}
          </>
        )}
      </EntryRows>
      <div className={types ? fields.add : fields.addOne}>
        {types && <VocabularyPicker type={types} label={t("draft.kind")} value={type} onChange={setType} />}
        <TextField
          label={t(`draft.one.${key}`)}
          value={text}
          onChange={setText}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
        <Button icon={Plus} isDisabled={!isReady} onPress={add}>
          {t("action.add")}
        </Button>
      </div>
    </FieldBlock>
  );
}
