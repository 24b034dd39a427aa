import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { ComboBox as AriaComboBox, Button, Group, Input, ListBox, Popover } from "react-aria-components";
import { useTranslation } from "react-i18next";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, FieldProblem } from "./field-parts.tsx";
import { type Option, OptionRow } from "./select.tsx";

export interface ComboBoxProps {
  label: string;
  hideLabel?: boolean;
  /** What the list shows now. The caller filters: by the API, or by its own rule. */
  options: Option[];
  inputValue: string;
  onInputChange: (text: string) => void;
  /** The chosen option. */
  onChoose: (id: string) => void;
  /** Free text is allowed: called on Enter or blur with text that is no option. */
  onText?: (text: string) => void;
  selected?: string | null;
  /** The text is what was chosen: the list stays closed until something else is typed. */
  isSettled?: boolean;
  description?: ReactNode;
  problem?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  isLoading?: boolean;
  onBlur?: () => void;
}

/** A text box with a list of suggestions under it, filtered by the caller. */
export function ComboBox(props: ComboBoxProps) {
  const { label, hideLabel, inputValue, onInputChange, onChoose, onText, isSettled = false } = props;
  const options = isSettled ? [] : props.options;
  const { t } = useTranslation();
  const keepText = () => {
    if (onText && inputValue.trim()) onText(inputValue.trim());
    props.onBlur?.();
  };
  return (
    <AriaComboBox
      {...(hideLabel ? { "aria-label": label } : {})}
      className={styles.field ?? ""}
      items={options}
      inputValue={inputValue}
      onInputChange={onInputChange}
      selectedKey={props.selected ?? null}
      onSelectionChange={(key) => key !== null && onChoose(String(key))}
      allowsCustomValue
      // Nothing to say about nothing typed: the list closes when a text has been taken.
      allowsEmptyCollection={inputValue !== "" && !isSettled}
      menuTrigger="focus"
      isRequired={props.isRequired ?? false}
      isInvalid={Boolean(props.problem)}
      validationBehavior="aria"
      onBlur={keepText}
    >
      {!hideLabel && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
      <Group className={styles.group ?? ""}>
        <Input
          className={styles.input ?? ""}
          placeholder={props.placeholder}
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
      <FieldHelp>{props.description}</FieldHelp>
      <FieldProblem>{props.problem}</FieldProblem>
      <Popover className={styles.popover ?? ""} offset={4}>
        <ListBox
          items={options}
          aria-label={label}
          renderEmptyState={() => (
            <div className={styles.none}>{props.isLoading ? t("state.searching") : t("state.no_suggestion")}</div>
          )}
        >
          {(option) => <OptionRow option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
