import { ProgressBar as AriaProgressBar, Label } from "react-aria-components";
import styles from "./progress.module.css";

/** Progress. `value` from 0 to 1; `text` at the right. */
export function ProgressBar({
  label,
  value,
  text,
  isPaused = false,
  hideLabel = false,
}: {
  label: string;
  value: number;
  text?: string;
  isPaused?: boolean;
  hideLabel?: boolean;
}) {
  // Screen readers do not understand numbers like 3e-8.
  const percent = Math.round(Math.max(0, Math.min(1, value)) * 10_000) / 100;
  return (
    <AriaProgressBar
      className={styles.bar ?? ""}
      value={percent}
      {...(text ? { valueLabel: text } : {})}
      {...(hideLabel ? { "aria-label": label } : {})}
    >
      {!hideLabel && (
        <div className={styles.head}>
          <Label>{label}</Label>
          <span>{text}</span>
        </div>
      )}
      <div className={styles.track}>
        <div className={`${styles.fill} ${isPaused ? styles.paused : ""}`} style={{ width: `${percent}%` }} />
      </div>
    </AriaProgressBar>
  );
}

export interface UsagePart {
  id: string;
  label: string;
  value: number;
  color: string;
}

/** One bar of several parts; put their names in a list next to it. */
export function UsageBar({ parts, label }: { parts: UsagePart[]; label: string }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  return (
    <div className={styles.stack} role="img" aria-label={label}>
      {parts.map((part) => (
        <div
          key={part.id}
          className={styles.part}
          style={{ width: `${(part.value / total) * 100}%`, background: part.color }}
        />
      ))}
    </div>
  );
}
