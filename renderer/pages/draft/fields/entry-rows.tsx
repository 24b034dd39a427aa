import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import fields from "./fields.module.css";

interface EntryRowsProps<Entry> {
  entries: Entry[];
  /** Name of an entry for its remove button. */
  nameOf: (entry: Entry) => string;
  /** Content of a row; by default its name. */
  children?: (entry: Entry) => ReactNode;
  onChange: (entries: Entry[]) => void;
}

/** List entries, each with a remove button. */
export function EntryRows<Entry>({ entries, nameOf, children = nameOf, onChange }: EntryRowsProps<Entry>) {
  const { t } = useTranslation();
  if (entries.length === 0) return null;
  return (
    <ul className={fields.rows}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing in a row is kept
        <li key={index} className={fields.row}>
          <span className={fields.rowText} dir="auto">
            {children(entry)}
          </span>
          <IconButton
            small
            icon={X}
            label={t("draft.remove_item", { label: nameOf(entry) })}
            onPress={() => onChange(entries.filter((_, at) => at !== index))}
          />
        </li>
      ))}
    </ul>
  );
}
