import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { FieldError as AriaFieldError, Label as AriaLabel, Text } from "react-aria-components";
import { useTranslation } from "react-i18next";
import styles from "./field.module.css";

/** The label above a control; `isRequired` adds a word, not an asterisk. */
export function FieldLabel({ children, isRequired }: { children: ReactNode; isRequired?: boolean | undefined }) {
  const { t } = useTranslation();
  return (
    <AriaLabel className={styles.label}>
      {children} {isRequired && <span className={styles.required}>({t("field.required")})</span>}
    </AriaLabel>
  );
}

/** Help under a control; hidden while there is an error (`FieldProblem`). */
export function FieldHelp({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <Text slot="description" className={styles.description}>
      {children}
    </Text>
  );
}

/** The error under an invalid control. */
export function FieldProblem({ children }: { children?: ReactNode }) {
  return (
    <AriaFieldError className={styles.error ?? ""}>
      {(validation) => (
        <>
          <CircleAlert size={13} aria-hidden="true" />
          <span>{children ?? validation.validationErrors.join(" ")}</span>
        </>
      )}
    </AriaFieldError>
  );
}
