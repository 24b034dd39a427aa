export interface Table {
  rows: string[][];
  columns: number;
  /** Whether rows have more cells than are kept. */
  isCut: boolean;
}

/** More columns block the browser. */
const maxColumns = 500;

/** Length of the sample that determines the separator. */
const sampleLength = 64 * 1024;
const separators = [",", ";", "\t", "|"];

const numberPattern = /^\s*[-+−]?[\d.,'\u00a0\u202f ]*\d(?:[eE][-+]?\d+)?\s*%?\s*$/;

/** Which columns hold numbers, judged by the first rows. Empty cells do not count. */
export function numberColumns(rows: readonly (readonly string[])[], columns: number): boolean[] {
  return Array.from({ length: columns }, (_, column) => {
    const cells = rows.slice(0, 100).map((row) => row[column] ?? "");
    const filled = cells.filter((cell) => cell.trim() !== "");
    return filled.length > 0 && filled.every((cell) => cell.length < 40 && numberPattern.test(cell));
  });
}

/** Guesses the separator: the one that splits the first lines into the most columns, with equal numbers if possible. */
export function guessSeparator(text: string): string {
  const beginning = text.slice(0, sampleLength);
  const score = (separator: string) => {
    const widths = parseTable(beginning, separator, 8).rows.map((row) => row.length);
    const steady = widths.filter((width) => width === widths[0]).length;
    return (widths[0] ?? 1) > 1 ? steady * 100 + (widths[0] ?? 0) : 0;
  };
  return separators.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** End of a quoted cell, after its closing quote. Two quotes stand for one. */
function quotedEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return text.length;
}

/** Reads a cell. Text between the closing quote and the separator belongs to it. */
function readCell(text: string, from: number, plain: RegExp): { cell: string; end: number } {
  const quoted = text[from] === '"' ? quotedEnd(text, from) : from;
  plain.lastIndex = quoted;
  const rest = plain.exec(text)?.[0] ?? "";
  const inner = text.slice(from, quoted).replace(/^"|"$/g, "").replaceAll('""', '"');
  return { cell: inner + rest, end: quoted + rest.length };
}

/** Parses CSV (RFC 4180): quotes protect separators and line ends; two quotes stand for one. */
export function parseTable(text: string, separator: string, limit = Number.POSITIVE_INFINITY): Table {
  const table: Table = { rows: [], columns: 0, isCut: false };
  const plain = new RegExp(`[^${separator === "\t" ? "\\t" : `\\${separator}`}\\r\\n]*`, "y");
  let row: string[] = [];
  const take = (cell: string): void => {
    if (row.length < maxColumns) row.push(cell);
    else table.isCut = true;
  };
  const endRow = (): void => {
    table.rows.push(row);
    table.columns = Math.max(table.columns, row.length);
    row = [];
  };
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length && table.rows.length < limit) {
    const { cell, end } = readCell(text, at, plain);
    take(cell);
    at = end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) take("");
      continue;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return table;
}
