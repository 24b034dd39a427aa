import { exportFormats } from "../../shared/representations/export-formats.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { uiOf } from "../../shared/representations/ui.ts";
import { exportLabel } from "./export-label.ts";
import { crumbOf, crumbs } from "./file-parts.ts";
import { type Html, html, nothing } from "./html.ts";
import type { Page } from "./page-frame.ts";
import { pageLinks } from "./page-links.ts";
import { citeAllOf, peopleOf, type Ui, type UiPeople } from "./record-parts.ts";
import type { ShownRecord } from "./shown-record.ts";
import type { Words } from "./words.ts";

const rowsATime = 50;

interface Part<T> {
  rows: readonly T[];
  links: Html;
}

/** One page of a long list, and the links to the others. */
function partOf<T>(all: readonly T[], page: number, address: string): Part<T> {
  const pages = Math.max(1, Math.ceil(all.length / rowsATime));
  const current = Math.min(page, pages);
  const rows = all.slice((current - 1) * rowsATime, current * rowsATime);
  return { rows, links: pageLinks(current, pages, (number) => (number === 1 ? address : `${address}?page=${number}`)) };
}

function listPage(words: Words, record: PresentedRecord, heading: string, ...body: readonly Html[]): Page {
  const crumb = crumbOf(record);
  return {
    title: `${heading} · ${crumb.label}`,
    body: html`<div class="wide">${crumbs(words, [crumb])}<h1>${heading}</h1>${body}</div>`,
  };
}

/** All versions that the caller may read, newest first. */
export function versionsPage(words: Words, { record, versions }: ShownRecord, page: number): Page {
  const { rows, links } = partOf(versions, page, `${record.links?.self_html ?? ""}/versions`);
  const list = rows.map(
    ({ id, label, date, address }) =>
      html`<li class="file"${id === record.id ? html` aria-current="true"` : nothing}><a href="${address}">${label}</a><span class="size">${date}</span></li>`,
  );
  return listPage(words, record, words.versions, html`<ol class="files">${list}</ol>${links}${citeAllOf(record)}`);
}

/** Creators and contributors, with the affiliations of those on the page. */
export function peoplePage(words: Words, { record }: ShownRecord, page: number): Page {
  const ui = uiOf(record, words.language) as unknown as Ui;
  const address = `${record.links?.self_html ?? ""}/people`;
  const creators = ui.creators?.creators ?? [];
  const all = [...creators, ...(ui.contributors?.contributors ?? [])];
  const { rows, links } = partOf(all, page, address);
  const listOf = (people: UiPeople | undefined, kind: "creators" | "contributors", heading: string): Html => {
    const shown = (people?.[kind] ?? []).filter((one) => rows.includes(one));
    if (!people || shown.length === 0) return nothing;
    return html`<h2>${heading}</h2>${peopleOf(words, { ...people, [kind]: shown }, kind, rowsATime)}`;
  };
  return listPage(
    words,
    record,
    words.allPeople,
    listOf(ui.creators, "creators", words.creators),
    listOf(ui.contributors, "contributors", words.people),
    links,
  );
}

/** All formats of a record, to open or to save. */
export function exportsPage(words: Words, { record }: ShownRecord): Page {
  const base = `${record.links?.self_html ?? ""}/export`;
  const rows = Object.entries(exportFormats).map(([name, { mediaType }]) => {
    const label = exportLabel(words, name);
    return html`<li class="file"><a href="${base}/${name}">${label}</a><span class="size type">${mediaType.replace(/;.*/, "")}</span><a href="${base}/${name}?download=1" aria-label="${words.download} ${label}">${words.download}</a></li>`;
  });
  return listPage(words, record, words.exports, html`<ul class="files">${rows}</ul>`);
}
