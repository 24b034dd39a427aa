import type { Hits } from "../kernel/hits.ts";
import { creatorsOf, doiOf, type PresentedRecord, textIn, textOfHtml } from "./presented-record.ts";

type Row = Record<string, string>;

const startsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A JSON number. It may start with a minus, yet it is no formula. */
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Puts an apostrophe before text that a spreadsheet would run as a formula (OWASP, CSV injection). */
const escapeFormula = (text: string): string => (startsFormula.test(text) && !number.test(text) ? `'${text}` : text);
/** Quotes a cell (RFC 4180). Semicolons and tabs separate cells in other languages, so they are quoted too. */
const cell = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A row of CSV. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((text) => cell(escapeFormula(text))).join(",")}\r\n`;
const lineOf = (columns: readonly string[], row: Row): string => csvLine(columns.map((name) => row[name] ?? ""));

/** A table with one row a record. Without `columns`, it has a column for each value that any record has. */
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

/** Adds every value to the row under its dotted path, list items by index. Skips links. */
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

/** All values of a record, but only the names of its files: a column for each file would make too many columns. */
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
  return csvLine(names) + lineOf(names, row);
}

/** A table in chunks. If the columns depend on all records, the records are read twice. */
export async function* csvList({ columns, rowOf }: Table, records: Hits<PresentedRecord>): AsyncGenerator<string> {
  const names = new Set(columns);
  if (!columns) {
    for await (const record of records) {
      for (const name of Object.keys(rowOf(record))) names.add(name);
      // Yields to the event loop between records.
      yield "";
    }
  }
  const all = [...names];
  yield csvLine(all);
  for await (const record of records) yield lineOf(all, rowOf(record));
}
