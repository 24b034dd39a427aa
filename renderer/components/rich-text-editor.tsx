import { lazy, Suspense } from "react";
import styles from "./rich-text.module.css";
import type { RichTextEditorProps } from "./rich-text-area.tsx";

const loading = import("./rich-text-area.tsx");
// A failure is reported where the editor is shown.
loading.catch(() => undefined);
const Area = lazy(async () => ({ default: (await loading).RichTextArea }));

/** An editor with bold, lists, links, quotes and code. Loaded beside the page that may show it. */
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
