import { useTranslation } from "react-i18next";
import type { ChangedPart } from "../format/word-changes.ts";
import styles from "./changed-text.module.css";

/**
 * One side of a change: removed text on the left, added text on the right. Marked by sign and text, not by colour
 * alone.
 */
export function ChangedText({ parts, side }: { parts: ChangedPart[]; side: "before" | "after" }) {
  const { t } = useTranslation();
  const foreign = side === "before" ? "added" : "removed";
  let at = 0;
  return parts
    .filter(({ kind }) => kind !== foreign)
    .map(({ kind, text }) => {
      at += text.length;
      if (kind === "same") return <span key={at}>{text}</span>;
      const Tag = kind === "added" ? "ins" : "del";
      return (
        <Tag key={at} className={styles[kind]}>
          <span className="visually-hidden">{t(`compare.${kind}`)} </span>
          {text}
        </Tag>
      );
    });
}
