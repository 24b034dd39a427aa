import { Check, type LucideIcon, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, Label, Radio, RadioGroup } from "react-aria-components";
import { formatCount } from "../format/amounts.ts";
import styles from "./choice.module.css";

export interface CheckboxProps {
  children: ReactNode;
  help?: ReactNode;
  isSelected: boolean;
  isIndeterminate?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  onChange: (isSelected: boolean) => void;
}

/** A checkbox with a label and help. */
export function Checkbox({ children, help, isIndeterminate = false, isDisabled = false, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} isIndeterminate={isIndeterminate} isDisabled={isDisabled} className={styles.item ?? ""}>
      {({ isSelected }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : isSelected && <Check size={12} strokeWidth={3} />}
          </span>
          <span className={styles.text}>
            <span>{children}</span>
            {help && <span className={styles.help}>{help}</span>}
          </span>
        </>
      )}
    </AriaCheckbox>
  );
}

/** The box alone, for rows that are selected as a whole. */
export function TickBox({ state }: { state: boolean | "mixed" }) {
  const Sign = state === "mixed" ? Minus : Check;
  return (
    <span className={`${styles.box} ${styles.tick} ${state ? styles.ticked : ""}`} aria-hidden="true">
      {state && <Sign size={12} strokeWidth={3} />}
    </span>
  );
}

export interface RadioOption {
  id: string;
  label: string;
  help?: string;
  icon?: LucideIcon;
  /** A count for `segments`; hidden if undefined. */
  count?: number;
}

export interface RadioChoiceProps {
  label: string;
  options: RadioOption[];
  value: string;
  onChange: (id: string) => void;
  /** `rows`: small radio buttons; `large`: one bordered row each; `segments`: texts side by side. */
  look?: "rows" | "large" | "segments";
  hideLabel?: boolean;
}

/** One of a few visible choices. */
export function RadioChoice({ label, options, value, onChange, look = "rows", hideLabel = false }: RadioChoiceProps) {
  const segments = look === "segments";
  return (
    <RadioGroup
      value={value}
      onChange={onChange}
      className={styles.group ?? ""}
      orientation={segments ? "horizontal" : "vertical"}
      {...(hideLabel ? { "aria-label": label } : {})}
    >
      {!hideLabel && <Label className={styles.label}>{label}</Label>}
      <div className={segments ? styles.segments : styles.group}>
        {options.map((option) =>
          segments ? (
            <Segment key={option.id} {...option} />
          ) : (
            <Row key={option.id} {...option} large={look === "large"} />
          ),
        )}
      </div>
    </RadioGroup>
  );
}

function Segment({ id, label, icon: Icon, count = 0 }: RadioOption) {
  return (
    <Radio value={id} className={styles.segment ?? ""}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {label}
      {count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
    </Radio>
  );
}

function Row({ id, label, help, large }: RadioOption & { large: boolean }) {
  return (
    <Radio value={id} className={[styles.item, large ? styles.large : ""].join(" ")}>
      <span className={`${styles.box} ${styles.round}`} aria-hidden="true" />
      <span className={styles.text}>
        <span className={styles.title}>{label}</span>
        {help && <span className={styles.help}>{help}</span>}
      </span>
    </Radio>
  );
}
