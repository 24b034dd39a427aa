import { ChevronDown } from "lucide-react";
import { type ClipboardEventHandler, type ReactNode, useContext, useEffect, useRef } from "react";
import {
  ComboBox as AriaComboBox,
  Button,
  ComboBoxStateContext,
  Group,
  Input,
  ListBox,
  Popover,
} from "react-aria-components";
import { useTranslation } from "react-i18next";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, FieldProblem } from "./field-parts.tsx";
import { maxSearchCharacters, usePasteLimit } from "./paste-limit.ts";
import { listHeight, type Option, OptionRow } from "./select.tsx";

export interface ComboBoxProps {
  label: string;
  hideLabel?: boolean;
  /** Options to show. The caller filters them. */
  options: Option[];
  inputValue: string;
  onInputChange: (text: string) => void;
  /** The chosen option. */
  onChoose: (id: string) => void;
  /** Allows free text: called on Enter or blur with text that is no option. */
  onText?: (text: string) => void;
  /** Only a chosen option counts; text without one is dropped. */
  isListOnly?: boolean;
  /** The options are those of this computer: the server could not be asked. */
  isLocal?: boolean;
  selected?: string | null;
  /** The text is the chosen option: the list stays closed until the user types. */
  isSettled?: boolean;
  description?: ReactNode;
  problem?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  isLoading?: boolean;
  autoFocus?: boolean;
  onBlur?: () => void;
  onPaste?: ClipboardEventHandler;
}

/** A scroll this soon after wheel, touch or press is the user's own. */
const ownScrollMs = 500;

/** Reopens the list after a scroll that the user did not make. React Aria closes it when the page moves under it. */
function OpenAgain() {
  const state = useContext(ComboBoxStateContext);
  const moved = useRef<Element>(undefined);
  const isOpen = state?.isOpen ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens after a closing, not after each render
  useEffect(() => {
    const box = moved.current;
    moved.current = undefined;
    if (!isOpen) {
      if (box && box === document.activeElement) state?.open(null, "input");
      return;
    }
    let ownAt = Number.NEGATIVE_INFINITY;
    const onOwn = (event: Event) => {
      ownAt = event.timeStamp;
    };
    const onScroll = ({ target, timeStamp }: Event) => {
      const focused = document.activeElement;
      if (timeStamp - ownAt < ownScrollMs || focused?.role !== "combobox" || target === focused) return;
      if (target instanceof Node && target.contains(focused)) moved.current = focused;
    };
    const own = ["wheel", "touchmove", "pointerdown"];
    for (const kind of own) addEventListener(kind, onOwn, { capture: true, passive: true });
    addEventListener("scroll", onScroll, true);
    return () => {
      for (const kind of own) removeEventListener(kind, onOwn, true);
      removeEventListener("scroll", onScroll, true);
    };
  }, [isOpen]);
  return null;
}

const withoutSelection = ({ value, selectionStart, selectionEnd }: HTMLInputElement): string =>
  value.slice(0, selectionStart ?? value.length) + value.slice(selectionEnd ?? value.length);

/** A text box with suggestions, filtered by the caller. */
export function ComboBox(props: ComboBoxProps) {
  const {
    label,
    hideLabel,
    inputValue,
    onInputChange,
    onChoose,
    onText,
    isListOnly = false,
    isSettled = false,
    isLoading = false,
  } = props;
  const options = isSettled ? [] : props.options;
  const { t } = useTranslation();
  const none = t(isListOnly ? (props.isLocal ? "state.no_match_here" : "state.no_match") : "state.no_suggestion");
  const limit = usePasteLimit(maxSearchCharacters);
  const problem = limit.problem ?? props.problem;
  const keepText = () => {
    limit.forget();
    if (onText && inputValue.trim()) onText(inputValue.trim());
    props.onBlur?.();
  };
  return (
    <AriaComboBox
      {...(hideLabel ? { "aria-label": label } : {})}
      className={styles.field ?? ""}
      items={options}
      inputValue={inputValue}
      onInputChange={(text) => {
        limit.forget();
        onInputChange(text);
      }}
      selectedKey={props.selected ?? null}
      onSelectionChange={(key) => key !== null && onChoose(String(key))}
      allowsCustomValue
      // Closes the list when the text is empty or chosen. One that still loads stays open: React Aria would close it, and
      // open it again after the choice.
      allowsEmptyCollection={(inputValue !== "" || isLoading) && !isSettled}
      menuTrigger="focus"
      isRequired={props.isRequired ?? false}
      autoFocus={props.autoFocus ?? false}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
      onBlur={keepText}
    >
      {!hideLabel && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
      <Group className={styles.group ?? ""}>
        <Input
          className={styles.input ?? ""}
          placeholder={props.placeholder}
          onPaste={(event) => {
            props.onPaste?.(event);
            // What became entries replaces the selected text, like any paste.
            if (event.isDefaultPrevented()) onInputChange(withoutSelection(event.currentTarget));
            limit.onPaste(event);
          }}
          onKeyDown={(event) => {
            const open = event.currentTarget.getAttribute("aria-activedescendant");
            if (event.key === "Enter" && onText && !open && inputValue.trim()) {
              event.preventDefault();
              onText(inputValue.trim());
            }
          }}
        />
        <Button className={styles.comboButton ?? ""}>
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      </Group>
      <OpenAgain />
      <FieldHelp>{props.description}</FieldHelp>
      <FieldProblem>{problem}</FieldProblem>
      <Popover className={styles.popover ?? ""} offset={4} maxHeight={listHeight}>
        <ListBox
          items={options}
          aria-label={label}
          renderEmptyState={() => <div className={styles.none}>{isLoading ? t("state.searching") : none}</div>}
        >
          {(option) => <OptionRow option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
