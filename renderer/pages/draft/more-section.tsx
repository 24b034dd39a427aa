import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Metadata, VocabularyRef } from "../../api-client/record-types.ts";
import { onlyOnce, onPasteRows } from "../../components/pasted-cells.ts";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { TextField } from "../../components/text-field.tsx";
import { isoDate } from "../../format/dates.ts";
import { escapeHtml, htmlWords, unescapeHtml } from "../../format/html-words.ts";
import { titleText } from "../../format/names.ts";
import { useField } from "./draft-context.ts";
import { EntryButtons } from "./fields/entry-buttons.tsx";
import { EntryRows } from "./fields/entry-rows.tsx";
import { FieldBlock } from "./fields/field-block.tsx";
import { FieldNotes } from "./fields/field-notes.tsx";
import fields from "./fields/fields.module.css";
import { FoldedGroup, FoldedGroups } from "./fields/folded-group.tsx";
import { keptScheme } from "./fields/kept-scheme.ts";
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
  return (
    <FoldedGroups>
      {lists.map((list) => (
        <TextList key={list.key} list={list} />
      ))}
      <Copyright />
    </FoldedGroups>
  );
}

/** One line of text. A value with markup, such as a link of an import, gets an editor that keeps it. */
function Copyright() {
  const { t } = useTranslation();
  const { id, value, set, onBlur, problem } = useField("copyright");
  const html = String(value ?? "");
  const words = typedText(html);
  const label = t("draft.field.copyright");
  const help = t("draft.help.copyright");
  return (
    <FoldedGroup heading={label} filled={words ? [words] : []} hint={help} fields={["metadata.copyright"]}>
      {html.includes("<") ? (
        <FieldBlock id={id} label={label} help={help} problem={problem}>
          <RichTextEditor
            label={label}
            value={html}
            onChange={set}
            onBlur={onBlur}
            hideLabel
            short
            isInvalid={Boolean(problem)}
            hasOwnUndo={false}
          />
        </FieldBlock>
      ) : (
        <div id={id} className={fields.fieldBlock}>
          <TextField
            aria-label={label}
            description={help}
            value={words}
            onChange={(text) => set(escapeHtml(text))}
            onBlur={onBlur}
            problem={problem}
          />
          <FieldNotes field="copyright" />
        </div>
      )}
    </FoldedGroup>
  );
}

type List = (typeof lists)[number];

const wordsOf = (list: List, text: string) => ("isHtml" in list ? htmlWords(text) : text.trim());

const textIn = (list: List, entry: Entry) => wordsOf(list, String(entry[list.member] ?? ""));

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
  const before = String(entry?.[member] ?? "");
  const types = "types" in list ? list.types : undefined;
  const isHtml = "isHtml" in list;
  const [type, setType] = useState(entry?.type);
  const [text, setText] = useState(before);
  const isReady = wordsOf(list, text) !== "" && (types === undefined || type !== undefined);
  const save = () => {
    if (!isReady) return;
    const value = isHtml ? text : key === "dates" ? isoDate(text.trim()) : text.trim();
    const { scheme: _, ...kept } = entry ?? {};
    const scheme = entry && key === "identifiers" ? keptScheme(entry, value) : {};
    onSave({ ...kept, ...scheme, [member]: value, ...(type ? { type } : {}) });
    if (!entry) setText("");
  };
  const shared = { label: t(`draft.one.${key}`), value: text, onChange: setText, autoFocus: entry !== undefined };
  // Each line is an entry of its own where it needs no kind, such as references.
  const paste = onPasteRows((rows) => onPaste?.(rows.map((row) => row.join(" ").trim())));
  return (
    <div className={isHtml ? fields.addText : types ? fields.add : fields.addOne}>
      {types && <VocabularyPicker type={types} label={t("draft.kind")} value={type} onChange={setType} />}
      {isHtml ? (
        <RichTextEditor {...shared} onSubmit={save} short />
      ) : (
        <TextField
          {...shared}
          onKeyDown={(event) => event.key === "Enter" && save()}
          {...(onPaste && !types ? { onPaste: paste } : {})}
        />
      )}
      <EntryButtons isReady={isReady} onSave={save} onCancel={onCancel} />
    </div>
  );
}
