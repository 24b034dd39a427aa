import { lazy, Suspense } from "react";
import styles from "./rich-text.module.css";
import type { RichTextEditorProps } from "./rich-text-area.tsx";

const Area = lazy(async () => ({ default: (await import("./rich-text-area.tsx")).RichTextArea }));

/** An editor with bold, lists, links, quotes and code. Loaded when first shown. */
export function RichTextEditor(props: RichTextEditorProps) {
  return (
    <div>
      {!props.hideLabel && <span className={styles.label}>{props.label}</span>}
      <Suspense fallback={<div className={`${styles.frame} ${styles.loading}`} />}>
        <Area {...props} />
      </Suspense>
    </div>
  );
}
