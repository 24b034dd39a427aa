import type { FileEntryRow } from "../../shared/database/schema.ts";
import { guessType } from "../../shared/files/content-headers.ts";
import { previewKind } from "../../shared/previews/kind.ts";
import { bibliographyOf } from "../../shared/representations/bibliography.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { crumbOf, crumbs } from "../pages/file-parts.ts";
import { sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Page } from "../pages/page-frame.ts";
import type { Words } from "../pages/words.ts";

export interface ShownFilePage {
  record: PresentedRecord;
  entry: FileEntryRow;
  /** Address of the content. */
  address: string;
  /** Address of the list of all files. */
  files: string;
  /** The preview, or the inside of an archive. */
  content: Html;
  /** Where a browser shows the file as itself, on a domain of its own. */
  rendered: string | undefined;
  isArchive: boolean;
  isIndexed: boolean;
}

const fact = (name: string, value: Html | string): Html => html`<dt>${name}</dt><dd>${value}</dd>`;

/** The file as itself. Its scripts run in an origin that nobody else has. */
const frameOf = (words: Words, name: string, rendered: string | undefined): Html =>
  rendered === undefined
    ? nothing
    : html`<p><iframe src="${rendered}" title="${words.preview.rendered(name)}" sandbox="allow-scripts" loading="lazy" referrerpolicy="no-referrer" class="frame"></iframe></p>`;

/** The page of a file: its preview, facts, sums and how to cite it. */
export function filePage(words: Words, shown: ShownFilePage): Page {
  const { record, entry, address, files, content, rendered, isArchive, isIndexed } = shown;
  const { key, size, mimetype, md5, sha256 } = entry;
  const title = record.metadata.title || words.untitled;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const type = mimetype ?? guessType(key);
  const amount = sizeInWords(size ?? 0, words.language);
  const { facts } = words.file;
  return {
    title: `${name} · ${title}`,
    description: words.file.description(name, title),
    isIndexed,
    ...(previewKind(entry.key) === "notebook" ? { hasOwnPictures: true } : {}),
    ...(rendered === undefined ? {} : { frames: new URL(rendered).origin }),
    body: html`<article class="record file-page"><header class="head"><div></div><div>${crumbs(words, [
      crumbOf(record),
      { label: words.files, address: `${files}/` },
    ])}<h1>${name}</h1><p class="meta"><span>${type}</span><span>${amount}</span></p><div class="actions"><a class="button primary" href="${address}?download=1">${words.downloadSize(
      amount,
    )}</a></div></div></header><section class="part" aria-labelledby="preview"><h2 id="preview">${
      isArchive ? words.archive.title : words.file.preview
    }</h2><div>${frameOf(words, name, rendered)}${content}</div></section><aside class="side"><section class="card" aria-labelledby="cite"><h2 id="cite">${
      words.citation
    }</h2><p>${bibliographyOf(record, words.language, "apa")}</p></section></aside><section class="part" aria-labelledby="details"><h2 id="details">${
      words.details
    }</h2><div><dl class="facts">${fact(facts.name, key)}${fact(facts.size, words.file.bytes(size ?? 0))}${fact(facts.type, type)}${fact(
      "MD5",
      html`<span class="sum">${md5 ?? ""}</span>`,
    )}${fact("SHA-256", html`<span class="sum">${sha256 ?? ""}</span>`)}</dl></div></section></article>`,
  };
}
