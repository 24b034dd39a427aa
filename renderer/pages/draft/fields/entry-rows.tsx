import { ArrowDown, ArrowUp, Pencil, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import { editedEntry, type Move, movedEntry } from "../../../format/entry-list.ts";
import { useEntryProblem } from "../draft-context.ts";
import fields from "./fields.module.css";

interface EntryRowsProps<Entry> {
  /** The path of the list, such as `metadata.funding`. */
  field: string;
  entries: Entry[];
  /** Name of an entry for its buttons. */
  nameOf: (entry: Entry) => string;
  /** Content of a row; by default its name. */
  children?: (entry: Entry) => ReactNode;
  /** The form that edits an entry in its row. */
  form: (entry: Entry, onSave: (entry: Entry) => void, onCancel: () => void) => ReactNode;
  onChange: (entries: Entry[]) => void;
}

/** List entries, each with buttons to edit, move and remove it. Ctrl with an arrow moves it too. */
export function EntryRows<Entry extends object>(props: EntryRowsProps<Entry>) {
  const { field, entries, nameOf, children = nameOf, form, onChange } = props;
  const problemOf = useEntryProblem(field);
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [edited, setEdited] = useState<Entry>();
  const moved = useRef<Move>(undefined);
  useEffect(() => {
    const move = moved.current;
    moved.current = undefined;
    if (!move) return;
    const row = list.current?.children[move.index + move.step];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("[data-move]") ?? [])];
    const [first, second] = move.step === 1 ? buttons.toReversed() : buttons;
    (first?.disabled ? second : first)?.focus();
  });
  const go = (move: Move) => {
    const next = movedEntry(entries, move);
    if (next === entries) return;
    moved.current = move;
    onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !event.ctrlKey) return;
    event.preventDefault();
    go({ index, step });
  };
  const editor =
    edited &&
    form(
      edited,
      (next) => {
        onChange(editedEntry(entries, edited, next));
        setEdited(undefined);
      },
      () => setEdited(undefined),
    );
  if (entries.length === 0 && !edited) return null;
  return (
    <ul className={fields.rows} ref={list}>
      {entries.map((entry, index) => {
        const label = nameOf(entry);
        const problem = problemOf(index);
        if (entry === edited)
          return (
            <li key="edited" className={fields.rowForm}>
              {editor}
            </li>
          );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing in a row is kept
          <li key={index} className={fields.row} onKeyDown={(event) => onKeyDown(event, index)}>
            <span className={fields.rowText} dir="auto">
              {children(entry)}
              {problem && <span className={fields.rowProblem}>{problem}</span>}
            </span>
            <span className={fields.rowButtons}>
              <MoveButtons label={label} index={index} count={entries.length} onMove={go} />
              <IconButton
                small
                icon={Pencil}
                label={t("draft.edit_item", { label })}
                onPress={() => setEdited(entry)}
              />
              <IconButton
                small
                icon={X}
                label={t("draft.remove_item", { label })}
                onPress={() => onChange(entries.filter((_, at) => at !== index))}
              />
            </span>
          </li>
        );
      })}
      {edited && !entries.includes(edited) && <li className={fields.rowForm}>{editor}</li>}
    </ul>
  );
}

interface MoveButtonsProps {
  label: string;
  index: number;
  count: number;
  onMove: (move: Move) => void;
}

function MoveButtons({ label, index, count, onMove }: MoveButtonsProps) {
  const { t } = useTranslation();
  if (count < 2) return null;
  return (
    <>
      <IconButton
        small
        data-move
        icon={ArrowUp}
        label={t("draft.move_up", { label })}
        isDisabled={index === 0}
        onPress={() => onMove({ index, step: -1 })}
      />
      <IconButton
        small
        data-move
        icon={ArrowDown}
        label={t("draft.move_down", { label })}
        isDisabled={index === count - 1}
        onPress={() => onMove({ index, step: 1 })}
      />
    </>
  );
}
