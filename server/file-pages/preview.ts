import type { FileEntryRow } from "../../shared/database/schema.ts";
import { guessType, isServedInline } from "../../shared/files/content-headers.ts";
import { imageSize } from "../../shared/iiif/image-size.ts";
import { imageAddress } from "../../shared/iiif/thumbnails.presenter.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { guessSeparator, numberColumns, parseTable } from "../../shared/previews/csv.ts";
import { type Kind, previewKind } from "../../shared/previews/kind.ts";
import { parseMarkdown } from "../../shared/previews/markdown.ts";
import { sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";
import { markdownHtml } from "./markdown-html.ts";
import { readStart, textIn } from "./read-start.ts";

const textBytes = 64 * 1024;
const tableRows = 100;
const tableColumns = 50;
/** A larger picture is a download: the reader did not ask for that many bytes. */
const largestPicture = 20_000_000;

export interface PreviewedFile {
  entry: FileEntryRow;
  /** Address of the content. */
  address: string;
  /** The page of another file of the record, by its name; undefined if there is none. */
  pageOf(key: string): string | undefined;
}

type PreviewHost = Pick<Host, "blobs" | "baseUrl">;

const plain = (text: string): Html => html`<pre class="code" tabindex="0"><code>${text}</code></pre>`;

function table(words: Words, text: string, isPart: boolean): Html {
  const separator = guessSeparator(text);
  const { rows, columns } = parseTable(text, separator, tableRows + 2);
  // The last row of a part may be cut.
  const whole = isPart ? rows.slice(0, -1) : rows;
  const [head = [], ...body] = whole.slice(0, tableRows + 1);
  const shown = Math.min(columns, tableColumns);
  const isNumber = numberColumns(body, shown);
  const cells = (row: readonly string[], tag: "td" | "th") =>
    Array.from({ length: shown }, (_, column) => {
      const attributes = `${tag === "th" ? ' scope="col"' : ""}${isNumber[column] ? ' class="number-cell"' : ""}`;
      return html`${{ html: `<${tag}${attributes}>` }}${row[column] ?? ""}${{ html: `</${tag}>` }}`;
    });
  const isCut = isPart || whole.length > tableRows + 1;
  return html`${isCut ? html`<p class="meta">${words.preview.firstRows(body.length)}</p>` : nothing}<div class="scroll" tabindex="0" role="region" aria-label="${words.preview.table}"><table><thead><tr>${cells(
    head,
    "th",
  )}</tr></thead><tbody>${body.map((row) => html`<tr>${cells(row, "td")}</tr>`)}</tbody></table></div>${
    columns > shown ? html`<p class="meta">${words.preview.firstColumns(shown, columns)}</p>` : nothing
  }`;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function textPreview(words: Words, kind: Kind, text: string, file: PreviewedFile): Html {
  const isPart = (file.entry.size ?? 0) > textBytes;
  if (kind === "table") return table(words, text, isPart);
  const part = isPart
    ? html`<p class="meta">${words.preview.part(sizeInWords(textBytes), sizeInWords(file.entry.size ?? 0, words.language))}</p>`
    : nothing;
  if (kind === "markdown") {
    const folder = file.entry.key.slice(0, file.entry.key.lastIndexOf("/") + 1);
    const { nodes } = parseMarkdown(text);
    const addressOf = (path: string) => file.pageOf(new URL(path, `http://x/${encodeURI(folder)}`).pathname.slice(1));
    return html`${part}<div class="prose">${markdownHtml(words, nodes, { addressOf })}</div>`;
  }
  const isJson = ["json", "map", "notebook"].includes(kind);
  return html`${part}${plain(isJson && !isPart ? prettyJson(text) : text)}`;
}

async function picture(host: PreviewHost, words: Words, { entry, address }: PreviewedFile, kind: Kind): Promise<Html> {
  const isShown = kind === "drawn" || isServedInline(entry.mimetype ?? guessType(entry.key));
  const { sha256, size, key } = entry;
  if (!isShown || sha256 === null || size === null || (kind === "image" && size > largestPicture)) return none(words);
  const found = await imageSize((range) => host.blobs.readBytes(sha256, range)).catch(() => undefined);
  if (!found) return none(words);
  const { width, height } = found;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const object = { id: entry.owner_id, isDraft: entry.owner_kind === "draft" };
  const source = kind === "drawn" ? `${imageAddress(host.baseUrl, object, key)}/full/max/0/default.jpg` : address;
  return html`<p><a href="${address}"><img class="picture" src="${source}" alt="${name}" width="${width}" height="${height}"></a></p>`;
}

const none = (words: Words): Html => html`<p>${words.preview.none}</p>`;

/** What a page shows of a file's content. Deposited HTML and SVG stay text: nothing of a file can run. */
export async function previewOf(host: PreviewHost, words: Words, file: PreviewedFile): Promise<Html> {
  const { entry, address } = file;
  const kind = previewKind(entry.key);
  const isInline = isServedInline(entry.mimetype ?? guessType(entry.key));
  if (kind === "image" || kind === "drawn") return picture(host, words, file, kind);
  if (kind === "audio" && isInline)
    return html`<audio controls preload="none" src="${address}" aria-label="${entry.key}"></audio>`;
  if (kind === "video" && isInline)
    return html`<video controls preload="none" src="${address}" aria-label="${entry.key}" width="640" height="360"></video>`;
  if (kind === "pdf")
    return html`<p><a class="button" href="${address}" target="_blank" rel="noopener">${words.preview.openPdf}</a></p>`;
  if (kind === "none" || kind === "audio" || kind === "video") return none(words);
  const start = await readStart(host, entry, textBytes);
  const text = start && textIn(start);
  if (text === undefined) return html`<p>${words.preview.notText}</p>`;
  return text === "" ? html`<p>${words.preview.empty}</p>` : textPreview(words, kind, text, file);
}
