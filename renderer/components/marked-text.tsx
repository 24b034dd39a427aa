import type { MarkedPart } from "../format/marks.ts";
import styles from "./marked-text.module.css";

/** A text with search matches marked. */
export function MarkedText({ parts }: { parts: MarkedPart[] }) {
  let at = 0;
  return parts.map(({ text, isMarked }) => {
    at += text.length;
    return isMarked ? (
      <mark key={at} className={styles.mark}>
        {text}
      </mark>
    ) : (
      <span key={at}>{text}</span>
    );
  });
}
