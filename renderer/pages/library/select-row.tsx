import { Check } from "lucide-react";
import { Checkbox } from "react-aria-components";
import { useTranslation } from "react-i18next";
import styles from "./library-row.module.css";
import { type RowProps, RowWords } from "./library-row.tsx";
import { rowKey, type Selection } from "./selection.ts";

/** A row during a selection: a checkbox as a whole. */
export function SelectRow({ selection, ...row }: RowProps & { selection: Selection }) {
  const { t } = useTranslation();
  const { record } = row;
  const key = rowKey(record);
  return (
    <Checkbox
      className={styles.choice ?? ""}
      aria-label={t("library.select.row", { title: record.metadata.title ?? t("library.untitled") })}
      isSelected={selection.chosen.has(key)}
      onChange={() => selection.toggle(record)}
      // Replaces the link that had the focus.
      autoFocus={key === selection.first}
    >
      {({ isSelected }) => (
        <>
          <span className={styles.tick} aria-hidden="true">
            {isSelected && <Check size={12} strokeWidth={3} />}
          </span>
          <RowWords {...row} />
        </>
      )}
    </Checkbox>
  );
}
