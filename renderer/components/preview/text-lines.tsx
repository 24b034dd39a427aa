import { useMemo } from "react";
import { languageOf } from "../../../shared/previews/kind.ts";
import { CodeText } from "./code-text.tsx";
import styles from "./file-preview.module.css";
import { useCodeTokens } from "./run-task.ts";

/** A text with line numbers that are not copied with it; code has colours. */
export function TextLines({ name, text, isBounded }: { name: string; text: string; isBounded: boolean }) {
  const numbers = useMemo(() => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return Array.from({ length: Math.max(1, lines) }, (_, index) => index + 1).join("\n");
  }, [text]);
  const tokens = useCodeTokens(text, languageOf(name));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region of its own would be a landmark
    <div className={`${styles.lines} ${isBounded ? styles.bounded : ""}`} tabIndex={0} role="group" aria-label={name}>
      <pre className={styles.numbers} aria-hidden="true">
        {numbers}
      </pre>
      <CodeText className={styles.code} text={text} tokens={tokens} />
    </div>
  );
}
