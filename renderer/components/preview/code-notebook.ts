import { type Notebook, type NotebookCell, parseNotebook } from "../../../shared/previews/notebook.ts";
import { type CodeToken, tokensOf } from "./highlight.ts";

/** A cell whose code has its coloured parts. */
export type ColouredCell = NotebookCell & { tokens?: CodeToken[] };

export interface ColouredNotebook extends Notebook {
  cells: ColouredCell[];
}

/** Reads a Jupyter notebook and colours its code. Undefined: the text is none. */
export function parseColouredNotebook(text: string): ColouredNotebook | undefined {
  const notebook = parseNotebook(text);
  if (!notebook) return undefined;
  const language = notebook.language.toLowerCase();
  const cells = notebook.cells.map((cell) =>
    cell.kind === "code" ? { ...cell, tokens: tokensOf(cell.text, language) } : cell,
  );
  return { ...notebook, cells };
}
