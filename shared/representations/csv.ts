import type { Hits } from "../kernel/hits.ts";
import { creatorsOf, doiOf, type PresentedRecord, textIn, textOfHtml } from "./presented-record.ts";

type Row = Record<string, string>;

const startsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A JSON number, which a spreadsheet does not take for a formula. */
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Puts an apostrophe before text that a spreadsheet would take for a formula (OWASP, CSV injection). */
const harmless = (text: string): string => (startsFormula.test(text) && !number.test(text) ? `'${text}` : text);
/** Also quotes text with the separators that spreadsheets use in other languages. */
const cell = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180. */
const line = (cells: readonly string[]): string => `${cells.map((text) => cell(harmless(text))).join(",")}\r\n`;
const lineOf = (columns: readonly string[], row: Row): string => line(columns.map((name) => row[name] ?? ""));

/** A row for each record. Without given columns, one column for each value that any record has. */
export interface Table {
  columns?: readonly string[];
  rowOf(record: PresentedRecord): Row;
}

const simpleColumns = [
  "id",
  "doi",
  "title",
  "creators",
  "publication_date",
  "resource_type",
  "publisher",
  "version",
  "access",
  "subjects",
  "rights",
  "description",
  "created",
  "updated",
  "url",
];

const joined = (values: readonly (string | undefined)[]): string => values.filter(Boolean).join("; ");

const simpleRow = (record: PresentedRecord): Row => {
  const { metadata } = record;
  return {
    id: record.id,
    doi: doiOf(record) ?? "",
    title: metadata.title ?? "",
    creators: joined(creatorsOf(record).map(({ name }) => name)),
    publication_date: metadata.publication_date ?? "",
    resource_type: textIn(metadata.resource_type?.title) ?? metadata.resource_type?.id ?? "",
    publisher: metadata.publisher ?? "",
    version: metadata.version ?? "",
    access: record.access?.status ?? "",
    subjects: joined((metadata.subjects ?? []).map(({ subject }) => subject)),
    rights: joined((metadata.rights ?? []).map(({ id, title }) => id ?? textIn(title))),
    description: textOfHtml(metadata.description ?? ""),
    created: record.created,
    updated: record.updated,
    url: record.links?.self_html ?? "",
  };
};

/** Every value under its dotted path, list items by index; without links. */
function flatRow(value: unknown, path: string, row: Row): Row {
  if (value === null || value === undefined) return row;
  if (typeof value !== "object") row[path] = String(value);
  else {
    for (const [name, inner] of Object.entries(value)) {
      if (name !== "links") flatRow(inner, path === "" ? name : `${path}.${name}`, row);
    }
  }
  return row;
}

/** Only the names of files: a column for each file would make the table wider than long. */
function fullRow({ files, ...record }: PresentedRecord): Row {
  const { entries = {}, ...rest } = files ?? {};
  return { ...flatRow({ ...record, files: rest }, "", {}), "files.entries": joined(Object.keys(entries)) };
}

/** The columns of a short table. */
export const simpleTable: Table = { columns: simpleColumns, rowOf: simpleRow };

/** All columns, in the order of their first appearance. */
export const fullTable: Table = { rowOf: fullRow };

/** A table of one record. */
export function csvOf({ columns, rowOf }: Table, record: PresentedRecord): string {
  const row = rowOf(record);
  const names = columns ?? Object.keys(row);
  return line(names) + lineOf(names, row);
}

/** A table in chunks. If the columns depend on all records, the records are read twice. */
export async function* csvList({ columns, rowOf }: Table, records: Hits<PresentedRecord>): AsyncGenerator<string> {
  const names = new Set(columns);
  if (!columns) {
    for await (const record of records) {
      for (const name of Object.keys(rowOf(record))) names.add(name);
      // Nothing to send yet; yields to the event loop.
      yield "";
    }
  }
  const all = [...names];
  yield line(all);
  for await (const record of records) yield lineOf(all, rowOf(record));
}
