import { citationOf, type Html, html, type Page, wordsOf } from "./page.presenter.ts";

/** The parts of a record's or draft's JSON that its page shows. */
export interface ShownRecord {
  id: string;
  creators: readonly string[];
  title: string;
  description: string | undefined;
  date: string | undefined;
  type: string | undefined;
  version: string | undefined;
  publisher: string | undefined;
  doi: string | undefined;
  /** `open`, `restricted`, … */
  access: string | undefined;
  isDraft: boolean;
}

export interface ShownFile {
  key: string;
  size: number;
  address: string;
}

const row = (name: string, value: Html | string | undefined): Html[] =>
  value === undefined || value === "" ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`];

function filesOf(files: readonly ShownFile[] | undefined): Html[] {
  if (!files) return [html`<p>The files are restricted.</p>`];
  if (files.length === 0) return [];
  const items = files.map(({ key, size, address }) => html`<li><a href="${address}">${key}</a> (${size} bytes)</li>`);
  return [html`<h2>Files</h2><ul>${items}</ul>`];
}

/** @param files undefined if the caller may not see them. */
export function recordPage(record: ShownRecord, files: readonly ShownFile[] | undefined): Page {
  const title = record.title === "" ? "Untitled" : record.title;
  const facts = [
    ...row("Creators", record.creators.join("; ")),
    ...row("Citation", citationOf({ ...record, title })),
    ...row("Type", record.type),
    ...row("Access", record.access),
    ...row("DOI", record.doi && html`<a href="https://doi.org/${record.doi}">${record.doi}</a>`),
  ];
  const text = record.description ? html`<p>${wordsOf(record.description)}</p>` : html``;
  return {
    title,
    kind: record.isDraft ? "Draft" : "Record",
    appLink: `carrel://${record.isDraft ? "draft" : "record"}/${encodeURIComponent(record.id)}`,
    body: [html`<dl>${facts}</dl>`, text, ...filesOf(files)],
  };
}

export interface ShownTombstone {
  citation_text?: string;
  note?: string;
}

export const deletedPage = ({ citation_text, note }: ShownTombstone): Page => ({
  title: "This record was deleted",
  kind: "Deleted",
  appLink: undefined,
  body: [citation_text, note].flatMap((text) => (text ? [html`<p>${text}</p>`] : [])),
});

export const refusedPage = (appLink: string): Page => ({
  title: "You do not have access",
  kind: "Restricted",
  appLink,
  body: [html`<p>This content is not public. Sign in with the app, or ask its owner for a link.</p>`],
});

export const unknownPage: Page = {
  title: "There is nothing here",
  kind: "Not found",
  appLink: undefined,
  body: [html`<p>No record, draft or request has this address.</p>`],
};

export const requestPage = (request: { id: string; title: string; status: string; number: string }): Page => ({
  title: request.title,
  kind: `Request #${request.number}`,
  appLink: `carrel://request/${encodeURIComponent(request.id)}`,
  body: [html`<dl>${row("Status", request.status)}</dl>`],
});
