import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import fields from "./fields.module.css";

interface EntryRowsProps<Entry> {
  entries: Entry[];
  /** Names an entry for who takes it away. */
  nameOf: (entry: Entry) => string;
  /** What a row shows; its name when left out. */
  children?: (entry: Entry) => ReactNode;
  onChange: (entries: Entry[]) => void;
}

/** The entries of a list one below the other, each with a button that takes it away. */
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
