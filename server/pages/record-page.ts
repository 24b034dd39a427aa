import type { RecordBody } from "../../shared/records/record.presenter.ts";
import { bibliographyOf } from "../../shared/representations/bibliography.ts";
import { archiveOf, type PresentedRecord } from "../../shared/representations/presented-record.ts";
import { uiOf } from "../../shared/representations/ui.ts";
import { exportFormats } from "./export-formats.ts";
import { type Html, html, nothing } from "./html.ts";
import type { Page } from "./page-frame.ts";
import { headOf } from "./record-head.ts";
import { detailsOf, peopleOf, relatedOf, type Ui } from "./record-parts.ts";
import { words } from "./words.ts";

export interface ShownFile {
  key: string;
  /** In bytes. */
  size: number;
  /** Address of its content. */
  address: string;
}

export interface ShownVersion {
  id: string;
  label: string;
  date: string;
  address: string;
}

export interface ShownRecord {
  record: PresentedRecord;
  /** The same as the API's answer. */
  body: RecordBody;
  /** Undefined if the caller may not see them. */
  files: readonly ShownFile[] | undefined;
  /** Newest first; only those that the caller may read. */
  versions: readonly ShownVersion[];
  isDraft: boolean;
  /** Everybody may read the record, so search engines may list it. */
  isPublic: boolean;
}

const mostFiles = 50;
const units = ["bytes", "kB", "MB", "GB", "TB"];

/** `20.2 kB` */
function sizeInWords(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}

/** One section of the page, with its heading beside it. Without content there is no section. */
const section = (id: string, heading: string, content: Html): Html =>
  content.html === ""
    ? nothing
    : html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2><div>${content}</div></section>`;

/** Rows of files with their sizes and downloads. */
const fileRows = (files: readonly ShownFile[]): Html =>
  html`<ul class="files">${files.map(
    ({ key, size, address }) =>
      html`<li class="file"><a href="${address}">${key}</a><span class="size">${sizeInWords(
        size,
      )}</span><a href="${address}${address.includes("?") ? "&" : "?"}download=1" aria-label="${words.download} ${key}">${
        words.download
      }</a></li>`,
  )}</ul>`;

function filesOf({ files, record }: ShownRecord, ui: Ui): Html {
  if (!files) {
    const until = ui.access_status?.embargo_date_l10n;
    return html`<p>${until ? words.filesEmbargoed(until) : words.filesRestricted}</p>`;
  }
  if (files.length === 0) return nothing;
  const all =
    files.length > mostFiles
      ? html`<p><a href="${record.links?.self_html ?? ""}/files">${words.moreFiles(files.length)}</a></p>`
      : nothing;
  return html`${fileRows(files.slice(0, mostFiles))}${all}`;
}

function actionsOf({ record, files = [], isDraft }: ShownRecord): Html {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const archive = archiveOf(record);
  const all =
    files.length > 0 && archive && !isDraft
      ? html`<a class="button primary" href="${archive}">${words.downloadAll(sizeInWords(bytes))}</a>`
      : nothing;
  const app = `carrel://${isDraft ? "draft" : "record"}/${encodeURIComponent(record.id)}`;
  return html`<div class="actions">${all}<a class="button" href="${app}">${words.openInApp}</a></div>`;
}

function headingOf(shown: ShownRecord, title: string, ui: Ui): Html {
  const { record, versions } = shown;
  const { status = "open", embargo } = (record.access ?? {}) as { status?: string; embargo?: { active?: boolean } };
  const state = embargo?.active && ui.access_status?.embargo_date_l10n;
  const stateWords = state ? words.embargoed(state) : (ui.access_status?.title_l10n ?? "");
  const newest = versions[0];
  const isOlder = newest !== undefined && newest.id !== record.id && !shown.isDraft;
  return html`<header class="head"><div><p class="number">${record.id}</p></div><div>${
    isOlder ? html`<p class="notice">${words.newer} <a href="${newest.address}">${words.toNewest}</a></p>` : nothing
  }${shown.isDraft ? html`<p class="notice">${words.preview}</p>` : nothing}<p class="meta">${
    ui.resource_type ? html`<span title="Resource type">${ui.resource_type.title_l10n}</span>` : nothing
  }${ui.publication_date_l10n_long ? html`<span>${ui.publication_date_l10n_long}</span>` : nothing}<span>${words.version(
    ui.version,
  )}</span><span class="state ${status}">${stateWords}</span></p><h1>${title}</h1>${peopleOf(
    ui.creators,
    "creators",
  )}${actionsOf(shown)}</div></header>`;
}

function sideOf({ record, body, versions, isDraft }: ShownRecord): Html {
  const page = record.links?.self_html ?? "";
  const formats = isDraft
    ? nothing
    : html`<nav class="formats" aria-label="${words.exports}">${Object.entries(exportFormats).map(
        ([name, { label }]) => html`<a href="${page}/export/${name}">${label}</a>`,
      )}</nav>`;
  const versionRows = versions.map(
    ({ id, label, date, address }) =>
      html`<li${id === record.id ? { html: ' aria-current="true"' } : nothing}><a href="${address}">${label}</a><small>${date}</small></li>`,
  );
  const { this_version: use } = (body.stats ?? {}) as { this_version?: Record<string, number> };
  return html`<aside class="side"><section class="card" aria-labelledby="cite"><h2 id="cite">${
    words.citation
  }</h2><p>${bibliographyOf(record, "en", "apa")}</p>${formats}</section>${
    versions.length > 0
      ? html`<section aria-labelledby="versions"><h2 id="versions">${words.versions}</h2><ol>${versionRows}</ol></section>`
      : nothing
  }${
    use && !isDraft
      ? html`<section aria-labelledby="use"><h2 id="use">${words.use}</h2><p>${words.views(
          use.unique_views ?? 0,
        )} · ${words.downloads(use.unique_downloads ?? 0)}</p></section>`
      : nothing
  }</aside>`;
}

/** A heading of a description must not compete with the page's own. The stored HTML is clean (records 8, type H). */
const proseOf = (description: string | undefined): Html =>
  description
    ? html`<div class="prose">${{ html: description.replace(/<(\/?)h[12](?=[\s>])/g, "<$1h3") }}</div>`
    : nothing;

/** The landing page of a record, or the preview of a draft. */
export function recordPage(shown: ShownRecord): Page {
  const { record } = shown;
  const ui = uiOf(record, "en") as unknown as Ui;
  const { metadata } = record;
  const title = metadata.title || words.untitled;
  const isIndexed = shown.isPublic && !shown.isDraft;
  const unapi = isIndexed ? html`<abbr class="unapi-id" title="${record.id}" hidden></abbr>` : nothing;
  const body = html`<article class="record">${unapi}${headingOf(shown, title, ui)}${section(
    "abstract",
    words.abstract,
    proseOf(metadata.description),
  )}${sideOf(shown)}${section("files", words.files, filesOf(shown, ui))}${section(
    "people",
    words.people,
    peopleOf(ui.contributors, "contributors"),
  )}${section("details", words.details, detailsOf(record, ui))}${section("related", words.related, relatedOf(ui))}</article>`;
  return { title, body, isIndexed, head: isIndexed ? headOf(record, shown.files ?? []) : [] };
}

/** All files of a record on one page. */
export const filesPage = (shown: ShownRecord, files: readonly ShownFile[]): Page => {
  const { metadata, links } = shown.record;
  const title = metadata.title || words.untitled;
  return {
    title: `${words.files} · ${title}`,
    body: html`<p class="meta"><a href="${links?.self_html ?? ""}">${title}</a></p><h1>${words.files}</h1>${fileRows(files)}`,
  };
};
