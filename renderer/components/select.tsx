import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from "react-aria-components";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, FieldProblem } from "./field-parts.tsx";

export interface Option {
  id: string;
  label: string;
  help?: string | undefined;
}

export interface SelectProps {
  label: string;
  options: Option[];
  value: string | null;
  onChange: (id: string) => void;
  /** `bare`: for toolbars, with the label inside the button. */
  look?: "field" | "bare";
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  description?: ReactNode;
  problem?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
}

/** In pixels. Without it React Aria lets a list grow over the whole window. */
export const listHeight = 320;

/** One choice from a short list. Use ComboBox for long lists or lists from the API. */
export function Select(props: SelectProps) {
  const { label, options, value, onChange, look = "field", hideLabel, description, problem } = props;
  const named = hideLabel ? { "aria-label": label } : {};
  return (
    <AriaSelect
      {...named}
      className={look === "bare" ? (styles.inline ?? "") : (styles.field ?? "")}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      placeholder={props.placeholder ?? ""}
    >
      {look === "field" && !hideLabel && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
      {look === "bare" && <Label className={styles.inlineLabel}>{label}</Label>}
      <Button className={[styles.trigger, look === "bare" ? styles.bare : ""].join(" ")}>
        <SelectValue className={styles.value ?? ""}>
          {({ selectedText }) => selectedText || props.placeholder}
        </SelectValue>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <FieldHelp>{description}</FieldHelp>
      <FieldProblem>{problem}</FieldProblem>
      <Popover className={styles.popover ?? ""} offset={4} maxHeight={listHeight}>
        <ListBox items={options} aria-label={label}>
          {(option) => <OptionRow option={option} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** One option: text, help below, check mark if chosen. */
export function OptionRow({ option }: { option: Option }) {
  return (
    <ListBoxItem id={option.id} textValue={option.label} className={styles.option ?? ""}>
      {({ isSelected }) => (
        <>
          <span className={styles.optionText}>
            <Text slot="label">{option.label}</Text>
            {option.help && (
              <Text slot="description" className={styles.optionHelp}>
                {option.help}
              </Text>
            )}
          </span>
          {isSelected && <Check size={14} aria-hidden="true" />}
        </>
      )}
    </ListBoxItem>
  );
}
