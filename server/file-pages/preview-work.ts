import { parseMarkdown } from "../../shared/previews/markdown.ts";
import { html } from "../pages/html.ts";
import { wordsIn } from "../pages/words.ts";
import { mapHtml } from "./map-html.ts";
import { type MarkdownOptions, markdownHtml } from "./markdown-html.ts";
import { notebookHtml } from "./notebook-html.ts";

/** A text to draw, as plain data: it travels to a thread. */
export interface PreviewTask {
  kind: "markdown" | "map" | "notebook";
  text: string;
  /** The language of the words around the text. */
  language: string;
  /** The name of the file: its text names others relative to it. */
  key: string;
  /** The pages of the record's files, by name. */
  pages: ReadonlyMap<string, string>;
}

function besides({ key, pages }: PreviewTask): MarkdownOptions {
  const folder = key.slice(0, key.lastIndexOf("/") + 1);
  return { addressOf: (path) => pages.get(new URL(path, `http://x/${encodeURI(folder)}`).pathname.slice(1)) };
}

/** The HTML of a preview; undefined if the text is none of its kind. Some texts take a second. */
export async function drawPreview(task: PreviewTask): Promise<string | undefined> {
  const { kind, text, language } = task;
  const words = wordsIn(language);
  if (kind === "markdown")
    return html`<div class="prose">${markdownHtml(words, parseMarkdown(text).nodes, besides(task))}</div>`.html;
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const drawn = kind === "map" ? mapHtml(words, value) : await notebookHtml(words, value, besides(task));
  return drawn?.html;
}
