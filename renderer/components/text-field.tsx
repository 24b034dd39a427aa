import { Search, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
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
import { maxSearchCharacters, usePasteLimit } from "./paste-limit.ts";

export interface TextFieldProps extends Omit<AriaProps, "className" | "children"> {
  label?: string;
  description?: ReactNode;
  /** The error text; makes the field invalid. */
  problem?: string | undefined;
  placeholder?: string;
  /** Makes a multi-line field with this many rows at first. */
  rows?: number;
  /** One line of text that wraps where it is long; a pasted line break becomes a space. */
  wraps?: boolean;
  mono?: boolean;
}

/** Keeps the cursor at its character when others change the text meanwhile. */
function useSteadyCaret(value: string | undefined) {
  const input = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
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
      // Text inserted exactly at the cursor goes behind it.
      if (at >= caret) break;
      place += insert.length - Math.min(remove, caret - at);
    }
    box.setSelectionRange(place, place);
    last.current = { typed: value, caret: place };
  }, [value]);
  const ref = (box: HTMLInputElement | HTMLTextAreaElement | null) => {
    input.current = box;
  };
  return { ref, onSelect: note, onInput: note };
}

/** Enter ends no line where there is only one; with Ctrl it is a command of the page. */
function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing)
    event.preventDefault();
}

const onOneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, " ");

/** Browsers let a year have six digits otherwise, which is no date to anything else. */
const lastDay = "9999-12-31";

/** A text field, label above, help and error below. */
export function TextField({ label, description, problem, placeholder, rows, wraps, mono, ...props }: TextFieldProps) {
  const steady = useSteadyCaret(props.value);
  const shape = rows ? styles.area : wraps ? styles.wraps : "";
  const className = [styles.input, shape, mono ? styles.mono : ""].join(" ");
  const limit = usePasteLimit();
  const { onChange, onBlur } = props;
  const shown = limit.problem ?? problem;
  return (
    <AriaTextField
      {...props}
      onChange={(text) => {
        limit.forget();
        onChange?.(wraps ? onOneLine(text) : text);
      }}
      onBlur={(event) => {
        limit.forget();
        onBlur?.(event);
      }}
      isInvalid={Boolean(shown)}
      validationBehavior="aria"
      className={styles.field ?? ""}
    >
      {label && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
      {rows ? (
        <TextArea dir="auto" className={className} rows={rows} placeholder={placeholder} />
      ) : wraps ? (
        <TextArea
          dir="auto"
          className={className}
          rows={1}
          placeholder={placeholder}
          onKeyDown={ignoreEnter}
          onPaste={limit.onPaste}
          {...steady}
        />
      ) : (
        <Input
          dir="auto"
          className={className}
          placeholder={placeholder}
          onPaste={limit.onPaste}
          {...(props.type === "date" ? { max: lastDay } : {})}
          {...steady}
        />
      )}
      <FieldHelp>{description}</FieldHelp>
      <FieldProblem>{shown}</FieldProblem>
    </AriaTextField>
  );
}

export interface SearchFieldProps {
  label: string;
  placeholder?: string;
  /** Omitted inside an Autocomplete, which keeps the text. */
  value?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  onSubmit?: (value: string) => void;
  onClear?: () => void;
  autoFocus?: boolean;
}

/** A search box: icon, clear button; Escape clears. The label is for screen readers. */
export function SearchField({ label, placeholder, ...props }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <AriaSearchField {...props} aria-label={label} className={styles.field ?? ""}>
      {({ isEmpty }) => (
        <Group className={styles.group ?? ""}>
          <Search className={styles.lead} size={15} strokeWidth={1.75} aria-hidden="true" />
          <Input
            dir="auto"
            className={`${styles.input} search-input`}
            maxLength={maxSearchCharacters}
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
