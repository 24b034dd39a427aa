import { imageSize } from "../../shared/iiif/image-size.ts";
import { cellOf, type NotebookCell, type NotebookOutput, notebookParts } from "../../shared/previews/notebook.ts";
import { type Html, html } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";
import { type MarkdownOptions, markdownHtml } from "./markdown-html.ts";

/** The largest page of a notebook, in characters. */
const maxHtml = 1_500_000;

const code = (text: string, kind: string): Html =>
  html`<pre class="code ${kind}" tabindex="0"><code>${text}</code></pre>`;

/** Writes cells until the page is large enough. */
class NotebookWriter {
  readonly parts: Html[] = [];
  readonly #words: Words;
  readonly #options: MarkdownOptions;
  #left = maxHtml;

  constructor(words: Words, options: MarkdownOptions) {
    this.#words = words;
    this.#options = options;
  }

  /** @returns whether there was room for all of it. */
  async cell(cell: NotebookCell): Promise<boolean> {
    if (cell.kind === "markdown") return this.#add(this.#prose(cell.content.nodes));
    if (cell.kind === "raw") return this.#add(code(cell.text, "raw"));
    const { codeCell } = this.#words.preview;
    if (!this.#add(html`<p class="meta">${codeCell(String(cell.count ?? " "))}</p>${code(cell.text, "cell")}`))
      return false;
    for (const output of cell.outputs) if (!this.#add(await this.#output(output))) return false;
    return true;
  }

  #add(part: Html): boolean {
    this.#left -= part.html.length;
    if (this.#left < 0) return false;
    this.parts.push(part);
    return true;
  }

  #prose(nodes: Parameters<typeof markdownHtml>[1]): Html {
    return html`<div class="prose">${markdownHtml(this.#words, nodes, this.#options)}</div>`;
  }

  async #output(output: NotebookOutput): Promise<Html> {
    if (output.kind === "text") return code(output.text, output.isError ? "result problem" : "result");
    if (output.kind === "markdown") return this.#prose(output.content.nodes);
    const { preview } = this.#words;
    if (output.kind === "omitted") return html`<p class="meta">${preview.omitted(output.type)}</p>`;
    const { source } = output;
    const bytes = Buffer.from(source.slice(source.indexOf(",") + 1), "base64");
    const size = await imageSize(async ({ start, end }) => bytes.subarray(start, end)).catch(() => undefined);
    // The others still have room.
    if (!size || source.length > this.#left) return html`<p class="meta">${preview.omitted("image")}</p>`;
    return html`<img class="picture" src="${source}" alt="${preview.cellPicture}" width="${size.width}" height="${size.height}">`;
  }
}

/**
 * A notebook as it was saved: nothing in it runs, and HTML in its outputs is left out. Undefined: the value is none.
 */
export async function notebookHtml(words: Words, value: unknown, options: MarkdownOptions): Promise<Html | undefined> {
  const notebook = notebookParts(value);
  if (!notebook) return undefined;
  const writer = new NotebookWriter(words, options);
  let { isWhole } = notebook;
  for (const part of notebook.cells) {
    if (await writer.cell(cellOf(part))) continue;
    isWhole = false;
    break;
  }
  const end = isWhole ? [] : [html`<p class="meta">${words.preview.notWhole}</p>`];
  return html`<div class="notebook">${[...writer.parts, ...end]}</div>`;
}
