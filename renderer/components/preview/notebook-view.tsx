import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NotebookOutput } from "../../../shared/previews/notebook.ts";
import { Busy } from "../notice.tsx";
import type { ColouredCell } from "./code-notebook.ts";
import { CodeText } from "./code-text.tsx";
import { MarkdownContent, type Neighbour } from "./markdown-view.tsx";
import styles from "./notebook-view.module.css";
import { useTask } from "./run-task.ts";

export interface NotebookViewProps {
  name: string;
  text: string;
  isBounded: boolean;
  neighbour: Neighbour;
  /** Shown if the text is no notebook. */
  source: ReactNode;
}

/** A Jupyter notebook as it was saved: nothing in it runs. */
export function NotebookView({ name, text, isBounded, neighbour, source }: NotebookViewProps) {
  const { t } = useTranslation();
  const read = useTask("notebook", text);
  if (read === undefined) return <Busy />;
  if (read === "failed") return source;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region of its own would be a landmark
    <div
      className={`${styles.notebook} ${isBounded ? styles.bounded : ""}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long notebook must be scrollable by keyboard
      tabIndex={0}
      role="group"
      aria-label={name}
    >
      {read.cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the notebook is parsed once
        <Cell key={index} cell={cell} neighbour={neighbour} />
      ))}
      {!read.isWhole && <p className={styles.omitted}>{t("preview.too_long")}</p>}
    </div>
  );
}

function Cell({ cell, neighbour }: { cell: ColouredCell; neighbour: Neighbour }) {
  const { t } = useTranslation();
  if (cell.kind === "markdown")
    return (
      <div className={styles.prose}>
        <MarkdownContent content={cell.content} neighbour={neighbour} />
      </div>
    );
  if (cell.kind === "raw") return <pre className={styles.raw}>{cell.text}</pre>;
  const count = cell.count ?? " ";
  return (
    <div className={styles.cell}>
      <span className={styles.count} role="img" aria-label={t("preview.code_cell", { number: count })}>
        [{count}]
      </span>
      <CodeText className={styles.code} text={cell.text} tokens={cell.tokens ?? []} />
      <div className={styles.outputs}>
        {cell.outputs.map((output, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the notebook is parsed once
          <Output key={index} output={output} neighbour={neighbour} />
        ))}
      </div>
    </div>
  );
}

function Output({ output, neighbour }: { output: NotebookOutput; neighbour: Neighbour }) {
  const { t } = useTranslation();
  if (output.kind === "text")
    return <pre className={`${styles.text} ${output.isError ? styles.error : ""}`}>{output.text}</pre>;
  if (output.kind === "image")
    return <img className={styles.image} src={output.source} alt={t("preview.cell_image")} />;
  if (output.kind === "markdown") return <MarkdownContent content={output.content} neighbour={neighbour} />;
  return <p className={styles.omitted}>{t("preview.omitted", { type: output.type })}</p>;
}
