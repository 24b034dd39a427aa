import { ProgressBar as AriaProgressBar, Label } from "react-aria-components";
import styles from "./progress.module.css";

/** How far something under way has come. `value` is a share from 0 to 1; `text` stands at the right. */
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
  const percent = Math.max(0, Math.min(100, value * 100));
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

/** One bar made of several parts; the words belong in a list beside it. */
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
