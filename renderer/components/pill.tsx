import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./state-word.module.css";

export type Tone = "neutral" | "ok" | "warn" | "danger" | "info" | "accent";

/** A small outlined word, such as a status. Colour only for state. */
export function Pill({
  children,
  tone = "neutral",
  icon: Icon,
}: {
  children: ReactNode;
  tone?: Tone;
  icon?: LucideIcon | undefined;
}) {
  return (
    <span className={`${styles.pill} ${tone === "neutral" ? "" : styles[tone]}`}>
      {Icon && <Icon size={12} strokeWidth={2} aria-hidden="true" />}
      {children}
    </span>
  );
}
