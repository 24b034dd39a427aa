import { isObject } from "../kernel/json.ts";
import { type MarkdownText, parseMarkdown } from "./markdown.ts";

export type NotebookOutput =
  | { kind: "text"; text: string; isError: boolean }
  | { kind: "image"; source: string }
  | { kind: "markdown"; content: MarkdownText }
  /** An output that is not shown: HTML, a widget, a vector image. */
  | { kind: "omitted"; type: string };

export type NotebookCell =
  | { kind: "markdown"; content: MarkdownText }
  | { kind: "raw"; text: string }
  | { kind: "code"; text: string; count: number | null; outputs: NotebookOutput[] };

export interface Notebook {
  cells: NotebookCell[];
  language: string;
  /** Whether all cells are here. */
  isWhole: boolean;
}

const maxCells = 1000;
const maxOutputs = 100;
const maxTextLength = 100_000;
const maxImageLength = 12_000_000;
/** Codes that colour a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals use them
const terminalCodes = /\u001b\[[0-9;?]*[A-Za-z]/g;
const imageTypes = ["image/png", "image/jpeg"];

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const wordOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A text of a notebook: one string, or its lines. */
function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : wordOf(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function imageOf(data: Json): NotebookOutput | undefined {
  for (const type of imageTypes) {
    const value = data[type];
    const bytes = (Array.isArray(value) ? value.join("") : wordOf(value)).replace(/\s/g, "");
    if (bytes === "" || bytes.length > maxImageLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(bytes)) continue;
    return { kind: "image", source: `data:${type};base64,${bytes}` };
  }
  return undefined;
}

/** The richest form of an output that runs nothing and loads nothing. */
function outputOf(value: unknown): NotebookOutput {
  const { output_type: type, ...output } = objectOf(value);
  if (type === "stream")
    return { kind: "text", text: textOf(output.text).replace(terminalCodes, ""), isError: output.name === "stderr" };
  if (type === "error") {
    const trace = textOf(listOf(output.traceback).map((line) => `${wordOf(line)}\n`));
    const text = trace || `${wordOf(output.ename)}: ${wordOf(output.evalue)}`;
    return { kind: "text", text: text.replace(terminalCodes, ""), isError: true };
  }
  const data = objectOf(output.data);
  const image = imageOf(data);
  if (image) return image;
  if (data["text/markdown"] !== undefined)
    return { kind: "markdown", content: parseMarkdown(textOf(data["text/markdown"])) };
  if (data["text/plain"] !== undefined) return { kind: "text", text: textOf(data["text/plain"]), isError: false };
  return { kind: "omitted", type: Object.keys(data)[0] ?? wordOf(type) };
}

/** Reads one cell. */
export function cellOf(value: unknown): NotebookCell {
  const cell = objectOf(value);
  const text = textOf(cell.source ?? cell.input);
  if (cell.cell_type === "markdown") return { kind: "markdown", content: parseMarkdown(text) };
  if (cell.cell_type !== "code") return { kind: "raw", text };
  const count = typeof cell.execution_count === "number" ? cell.execution_count : null;
  const outputs = listOf(cell.outputs).slice(0, maxOutputs).map(outputOf);
  return { kind: "code", text, count, outputs };
}

/** The cells of a notebook before they are read, its language, and whether it has no more cells. */
export interface NotebookParts {
  cells: unknown[];
  language: string;
  isWhole: boolean;
}

/** The parts of a Jupyter notebook (nbformat 3 and 4) in parsed JSON. Undefined: it is none. */
export function notebookParts(value: unknown): NotebookParts | undefined {
  const notebook = objectOf(value);
  const cells = Array.isArray(notebook.cells) ? notebook.cells : objectOf(listOf(notebook.worksheets)[0]).cells;
  if (!Array.isArray(cells)) return undefined;
  const metadata = objectOf(notebook.metadata);
  const language =
    wordOf(objectOf(metadata.language_info).name) || wordOf(objectOf(metadata.kernelspec).language) || "python";
  return { cells: cells.slice(0, maxCells), language, isWhole: cells.length <= maxCells };
}

/** Reads a Jupyter notebook. Undefined: the text is none. */
export function parseNotebook(text: string): Notebook | undefined {
  let parts: NotebookParts | undefined;
  try {
    parts = notebookParts(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return undefined;
  }
  return parts && { ...parts, cells: parts.cells.map(cellOf) };
}
