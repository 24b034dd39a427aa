import { creatorsOf, doiOf, type PresentedRecord, textIn, textOfHtml } from "./presented-record.ts";

type Row = Record<string, string>;

/** What a spreadsheet would take for a formula begins with an apostrophe, so that it stays text. */
const harmless = (text: string): string => (/^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text);
const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180, line by line. */
function* linesOf(columns: readonly string[], rows: Iterable<Row>): Generator<string> {
  const line = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;
  yield line(columns);
  for (const row of rows) yield line(columns.map((name) => harmless(row[name] ?? "")));
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

/** Every value under its dotted path, items of lists by their number; links left out. */
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

function* simpleRows(records: readonly PresentedRecord[]): Generator<Row> {
  for (const record of records) yield simpleRow(record);
}

/** A row for each record, line by line: what people ask of a table. */
export const simpleCsv = (records: readonly PresentedRecord[]): Iterable<string> =>
  linesOf(simpleColumns, simpleRows(records));

/** A row for each record, and a column for each value that any of them has, in the order of their first appearance. */
export function* fullCsv(records: readonly PresentedRecord[]): Generator<string> {
  const columns = new Set<string>();
  const rows: Row[] = [];
  for (const record of records) {
    const row = flatRow(record, "", {});
    for (const name of Object.keys(row)) columns.add(name);
    rows.push(row);
    // All must be seen before the first line: nothing to send yet, and a moment to give way.
    yield "";
  }
  yield* linesOf([...columns], rows);
}
