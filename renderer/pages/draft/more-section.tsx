import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Metadata, VocabularyRef } from "../../api-client/record-types.ts";
import { onlyOnce, onPasteRows } from "../../components/pasted-cells.ts";
import { TextField } from "../../components/text-field.tsx";
import { escapeHtml, htmlWords, unescapeHtml } from "../../format/html-words.ts";
import { titleText } from "../../format/names.ts";
import { useField } from "./draft-context.ts";
import { EntryButtons } from "./fields/entry-buttons.tsx";
import { EntryRows } from "./fields/entry-rows.tsx";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { FoldedGroup, FoldedGroups } from "./fields/folded-group.tsx";
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
  const words = typedText(String(copyright.value ?? ""));
  return (
    <FoldedGroups>
      {lists.map((list) => (
        <TextList key={list.key} list={list} />
      ))}
      <FoldedGroup
        heading={t("draft.field.copyright")}
        filled={words ? [words] : []}
        hint={t("draft.help.copyright")}
        fields={["metadata.copyright"]}
      >
        <div id={copyright.id} className={fields.fieldBlock}>
          <TextField
            aria-label={t("draft.field.copyright")}
            description={t("draft.help.copyright")}
            value={words}
            onChange={(text) => copyright.set(escapeHtml(text))}
            onBlur={copyright.onBlur}
            problem={copyright.problem}
          />
          <FieldNotes field="copyright" />
        </div>
      </FoldedGroup>
    </FoldedGroups>
  );
}

type List = (typeof lists)[number];

const textIn = (list: List, entry: Entry) =>
  "isHtml" in list ? htmlWords(String(entry[list.member] ?? "")) : String(entry[list.member] ?? "");

function TextList({ list }: { list: List }) {
  const { t } = useTranslation();
  const { key } = list;
  const field = useField<keyof Metadata & string>(key);
  const entries = (field.value ?? []) as Entry[];
  const set = (next: Entry[]) => {
    field.set(next);
    field.onBlur();
  };
  /** Adds texts that are not in the list, each once. */
  const addNew = (texts: string[]) => {
    const known = entries.map((entry) => textIn(list, entry));
    const added = onlyOnce(texts).filter((one) => !known.includes(one));
    if (added.length > 0) set([...entries, ...added.map((one) => ({ [list.member]: one }))]);
  };
  return (
    <FoldedGroup
      heading={t(`draft.field.${key}`)}
      filled={entries.map((entry) => textIn(list, entry))}
      hint={t(`draft.help.${key}`)}
      fields={[`metadata.${key}`]}
    >
      <FieldBlock
        id={field.id}
        label={t(`draft.field.${key}`)}
        hideLabel
        help={t(`draft.help.${key}`)}
        problem={field.ownProblem}
      >
        <EntryRows
          field={`metadata.${key}`}
          entries={entries}
          nameOf={(entry) => textIn(list, entry)}
          form={(entry, onSave, onCancel) => <TextForm list={list} entry={entry} onSave={onSave} onCancel={onCancel} />}
          onChange={set}
        >
          {(entry) => (
            <>
              {entry.type && <span className={fields.rowType}>{titleText(entry.type.title, entry.type.id)}</span>}
              {textIn(list, entry)}
            </>
          )}
        </EntryRows>
        <TextForm list={list} onSave={(added) => set([...entries, added])} onPaste={addNew} />
      </FieldBlock>
    </FoldedGroup>
  );
}

interface TextFormProps {
  list: List;
  entry?: Entry;
  onSave: (entry: Entry) => void;
  /** Takes pasted lines, in a form for new entries. */
  onPaste?: (texts: string[]) => void;
  onCancel?: () => void;
}

function TextForm({ list, entry, onSave, onPaste, onCancel }: TextFormProps) {
  const { t } = useTranslation();
  const { key, member } = list;
  const before = entry ? textIn(list, entry) : "";
  const types = "types" in list ? list.types : undefined;
  const [type, setType] = useState(entry?.type);
  const [text, setText] = useState(before);
  const words = text.trim();
  const isReady = words !== "" && (types === undefined || type !== undefined);
  const save = () => {
    if (!isReady) return;
    const value = "isHtml" in list ? `<p>${escapeHtml(words)}</p>` : words;
    // A text that was not changed keeps its markup and, for identifiers, its scheme.
    const changed = words === before ? {} : { [member]: value };
    const { scheme: _, ...kept } = entry ?? {};
    onSave({ ...(words === before ? entry : kept), ...changed, ...(type ? { type } : {}) });
    if (!entry) setText("");
  };
  // Each line is an entry of its own where it needs no kind, such as references.
  const paste = onPasteRows((rows) => onPaste?.(rows.map((row) => row.join(" ").trim())));
  return (
    <div className={types ? fields.add : fields.addOne}>
      {types && <VocabularyPicker type={types} label={t("draft.kind")} value={type} onChange={setType} />}
      <TextField
        label={t(`draft.one.${key}`)}
        value={text}
        onChange={setText}
        autoFocus={entry !== undefined}
        onKeyDown={(event) => event.key === "Enter" && save()}
        {...(onPaste && !types ? { onPaste: paste } : {})}
      />
      <EntryButtons isReady={isReady} onSave={save} onCancel={onCancel} />
    </div>
  );
}
