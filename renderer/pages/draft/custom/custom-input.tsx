import { useTranslation } from "react-i18next";
import { type Leaf, leafPath } from "../../../../shared/metadata/custom-field-groups.ts";
import type { VocabularyRef } from "../../../api-client/record-types.ts";
import { Checkbox } from "../../../components/choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { isoDate } from "../../../format/dates.ts";
import { titleText } from "../../../format/names.ts";
import { FieldNotes } from "../fields/field-notes.tsx";
import fields from "../fields/fields.module.css";
import { TagList } from "../fields/tag-list.tsx";
import { VocabularyPicker } from "../fields/vocabulary-picker.tsx";
import styles from "./custom.module.css";
import { useCustomField } from "./use-custom-field.ts";

const narrow = new Set(["volume", "issue", "pages", "issn", "isbn", "edition", "session", "session_part", "acronym"]);

function widthOf({ type, member = "", is_list }: Leaf): string | undefined {
  if (is_list || type === "url" || member === "title") return styles.whole;
  if (narrow.has(member) || ["integer", "double", "date", "edtf"].includes(type)) return styles.third;
  return styles.half;
}

interface CustomInputProps {
  leaf: Leaf;
  label: string;
}

/** The input for one custom field, by its declared type. */
export function CustomInput({ leaf, label }: CustomInputProps) {
  return (
    <div id={`field-custom_fields.${leafPath(leaf)}`} className={`${fields.fieldBlock} ${widthOf(leaf)}`}>
      <Control leaf={leaf} label={label} />
      <FieldNotes field={`custom_fields.${leafPath(leaf)}`} />
    </div>
  );
}

function Control({ leaf, label }: CustomInputProps) {
  const { value, set, problem, onBlur } = useCustomField(leaf);
  if (leaf.type === "vocabulary") return <Choice leaf={leaf} label={label} />;
  if (leaf.type === "boolean")
    return (
      <Checkbox isSelected={value === true} onChange={set} help={leaf.help}>
        {label}
      </Checkbox>
    );
  if (leaf.is_list) return <Lines leaf={leaf} label={label} />;
  const isDate = leaf.type === "date" || leaf.type === "edtf";
  return (
    <TextField
      label={label}
      description={leaf.help}
      value={textOf(value)}
      onChange={(text) => set(typed(leaf, text))}
      onBlur={() => {
        if (isDate && typeof value === "string") set(isoDate(value));
        onBlur();
      }}
      problem={problem}
      mono={leaf.type === "issn" || leaf.type === "isbn"}
    />
  );
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "object") return String((value as { identifier?: unknown }).identifier ?? "");
  return String(value);
};

/** The value that a text stands for. What is no number stays as it was typed, so that the API names the problem. */
function typed({ type }: Leaf, text: string): unknown {
  const words = text.trim();
  const isNumber = type === "integer" || type === "double";
  if (isNumber && words !== "" && String(Number(words)) === words) return Number(words);
  if (type === "identifier" && words !== "") return { identifier: words };
  return text;
}

/** A list of texts: one per line. */
function Lines({ leaf, label }: CustomInputProps) {
  const { t } = useTranslation();
  const { value, set, problem, onBlur } = useCustomField(leaf);
  const items = Array.isArray(value) ? value : [];
  return (
    <TextField
      label={label}
      description={leaf.help ?? t("custom.one_per_line")}
      rows={2}
      value={items.map(textOf).join("\n")}
      onChange={(text) => {
        const known = new Map(items.map((item) => [textOf(item), item]));
        set(text === "" ? [] : text.split("\n").map((line) => known.get(line) ?? typed(leaf, line)));
      }}
      onBlur={() => {
        set(items.filter((item) => textOf(item).trim() !== ""));
        onBlur();
      }}
      problem={problem}
    />
  );
}

/** One or several entries of a vocabulary. */
function Choice({ leaf, label }: CustomInputProps) {
  const { value, set, problem, onBlur } = useCustomField(leaf);
  const type = leaf.vocabulary;
  if (type === undefined) return null;
  const isLong = ["languages", "licenses", "code:programmingLanguages"].includes(type);
  const picker = { type, label, isLong, problem, onBlur, ...(leaf.help ? { description: leaf.help } : {}) };
  if (!leaf.is_list) return <VocabularyPicker {...picker} value={value as VocabularyRef | undefined} onChange={set} />;
  const chosen = Array.isArray(value) ? (value as VocabularyRef[]) : [];
  return (
    <>
      <TagList
        label={label}
        tags={chosen.map(({ id, title }) => ({ id, label: titleText(title, id) }))}
        onRemove={(index) => set(chosen.filter((_, at) => at !== index))}
      />
      <VocabularyPicker
        key={chosen.length}
        {...picker}
        value={undefined}
        onChange={(entry) => {
          if (entry && !chosen.some(({ id }) => id === entry.id)) set([...chosen, entry]);
        }}
      />
    </>
  );
}
