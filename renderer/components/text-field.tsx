import { Search, X } from "lucide-react";
import { type ReactNode, type Ref, useLayoutEffect, useRef } from "react";
import {
  type TextFieldProps as AriaProps,
  SearchField as AriaSearchField,
  TextField as AriaTextField,
  Button,
  Group,
  Input,
  TextArea,
} from "react-aria-components";
import { useTranslation } from "react-i18next";
import { diffText } from "../../shared/documents/text-diff.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, FieldProblem } from "./field-parts.tsx";

export interface TextFieldProps extends Omit<AriaProps, "className" | "children"> {
  label?: string;
  description?: ReactNode;
  /** The words of the error; its presence makes the field invalid. */
  problem?: string | undefined;
  placeholder?: string;
  /** More than one line: the number of rows first shown. */
  rows?: number;
  mono?: boolean;
}

/** Keeps the cursor at its letter when the text of a box is changed by others while the person is in it. */
function useSteadyCaret(value: string | undefined) {
  const input = useRef<HTMLInputElement>(null);
  const last = useRef({ typed: value, caret: 0 });
  const note = () => {
    last.current = { typed: input.current?.value, caret: input.current?.selectionStart ?? 0 };
  };
  useLayoutEffect(() => {
    const { typed = "", caret } = last.current;
    const box = input.current;
    if (value === undefined || value === typed || !box || document.activeElement !== box) return;
    let place = caret;
    for (const { at, remove, insert } of diffText(typed, value)) {
      // Text that comes right at the cursor stands behind it.
      if (at >= caret) break;
      place += insert.length - Math.min(remove, caret - at);
    }
    box.setSelectionRange(place, place);
    last.current = { typed: value, caret: place };
  }, [value]);
  return { ref: input, onSelect: note, onInput: note };
}

/** One line or several lines of text, label above, help and error below. */
export function TextField({ label, description, problem, placeholder, rows, mono, ...props }: TextFieldProps) {
  const steady = useSteadyCaret(props.value);
  const className = [styles.input, rows ? styles.area : "", mono ? styles.mono : ""].join(" ");
  return (
    <AriaTextField {...props} isInvalid={Boolean(problem)} validationBehavior="aria" className={styles.field ?? ""}>
      {label && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
      {rows ? (
        <TextArea dir="auto" className={className} rows={rows} placeholder={placeholder} />
      ) : (
        <Input dir="auto" className={className} placeholder={placeholder} {...steady} />
      )}
      <FieldHelp>{description}</FieldHelp>
      <FieldProblem>{problem}</FieldProblem>
    </AriaTextField>
  );
}

export interface SearchFieldProps {
  label: string;
  placeholder?: string;
  /** Left out inside an Autocomplete, which keeps the text. */
  value?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  onSubmit?: (value: string) => void;
  onClear?: () => void;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** A search box: magnifier, clear button, Escape clears. The label is for screen readers only. */
export function SearchField({ label, placeholder, inputRef, ...props }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <AriaSearchField {...props} aria-label={label} className={styles.field ?? ""}>
      {({ isEmpty }) => (
        <Group className={styles.group ?? ""}>
          <Search className={styles.lead} size={15} strokeWidth={1.75} aria-hidden="true" />
          <Input
            ref={inputRef ?? null}
            dir="auto"
            className={`${styles.input} search-input`}
            placeholder={placeholder ?? label}
          />
          {!isEmpty && (
            <Button className={styles.comboButton ?? ""} aria-label={t("action.clear")}>
              <X size={14} aria-hidden="true" />
            </Button>
          )}
        </Group>
      )}
    </AriaSearchField>
  );
}
