import type { FileEntryRow } from "../../shared/database/schema.ts";
import { guessType, isServedInline } from "../../shared/files/content-headers.ts";
import { imageSize } from "../../shared/iiif/image-size.ts";
import { imageAddress } from "../../shared/iiif/thumbnails.presenter.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { guessSeparator, parseTable } from "../../shared/previews/csv.ts";
import { type Kind, previewKind } from "../../shared/previews/kind.ts";
import { sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";
import { draw } from "./preview-thread.ts";
import { readStart, textIn } from "./read-start.ts";
import { tableHtml, tableRows } from "./table-html.ts";

const textBytes = 64 * 1024;
/** A larger map or notebook is shown as text. */
const wholeBytes = 2 * 1024 * 1024;
/** A larger picture is a download: the reader did not ask for that many bytes. */
const largestPicture = 20_000_000;

export interface PreviewedFile {
  entry: FileEntryRow;
  /** Address of the content. */
  address: string;
  /** The pages of the record's files, by name. */
  pages: ReadonlyMap<string, string>;
}

type PreviewHost = Pick<Host, "blobs" | "baseUrl">;

const plain = (text: string): Html => html`<pre class="code" tabindex="0"><code>${text}</code></pre>`;

function csvTable(words: Words, text: string, isPart: boolean): Html {
  const { rows, columns } = parseTable(text, guessSeparator(text), tableRows + 2);
  // The last row of a part may be cut.
  const whole = isPart ? rows.slice(0, -1) : rows;
  const [head = [], ...body] = whole.slice(0, tableRows + 1);
  return tableHtml(words, { head, body, columns, isCut: isPart || whole.length > tableRows + 1 });
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param drawn what the text means, as HTML; else the text is shown as it is. */
function textPreview(words: Words, kind: Kind, text: string, size: number, drawn: Html | undefined): Html {
  if (drawn && kind !== "markdown") return drawn;
  const isPart = size > textBytes;
  if (kind === "table") return csvTable(words, text, isPart);
  const part = isPart
    ? html`<p class="meta">${words.preview.part(sizeInWords(textBytes, words.language), sizeInWords(size, words.language))}</p>`
    : nothing;
  const isJson = ["json", "map", "notebook"].includes(kind);
  return html`${part}${drawn ?? plain(isJson && !isPart ? prettyJson(text) : text.slice(0, textBytes))}`;
}

/** Text, code and tables by their beginning; maps and notebooks as a whole, if they are not too large. */
async function readPreview(host: PreviewHost, words: Words, kind: Kind, file: PreviewedFile): Promise<Html> {
  const { entry, pages } = file;
  const size = entry.size ?? 0;
  const isWhole = (kind === "map" || kind === "notebook") && size <= wholeBytes;
  const start = await readStart(host, entry, isWhole ? wholeBytes : textBytes);
  const text = start && textIn(start);
  if (text === undefined) return html`<p>${words.preview.notText}</p>`;
  if (text === "") return html`<p>${words.preview.empty}</p>`;
  const asDrawn = kind === "markdown" || (isWhole && (kind === "map" || kind === "notebook")) ? kind : undefined;
  const drawn = asDrawn && (await draw({ kind: asDrawn, text, language: words.language, key: entry.key, pages }));
  return textPreview(words, kind, text, size, drawn === undefined ? undefined : { html: drawn });
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
    return html`<audio controls preload="none" src="${address}" aria-label="${entry.key}" class="player"></audio>`;
  if (kind === "video" && isInline)
    return html`<video controls preload="none" src="${address}" aria-label="${entry.key}" width="640" height="360" class="player"></video>`;
  if (kind === "pdf")
    return html`<p><a class="button" href="${address}" target="_blank" rel="noopener">${words.preview.openPdf}</a></p>`;
  if (kind === "none" || kind === "audio" || kind === "video") return none(words);
  return readPreview(host, words, kind, file);
}
