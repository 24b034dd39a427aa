export interface Table {
  rows: string[][];
  columns: number;
}

const separators = [",", ";", "\t", "|"];

/** The separator that parts the first lines into the most columns, the same number in each as far as possible. */
export function guessSeparator(text: string): string {
  const score = (separator: string) => {
    const widths = parseTable(text, separator, 8).rows.map((row) => row.length);
    const steady = widths.filter((width) => width === widths[0]).length;
    return (widths[0] ?? 1) > 1 ? steady * 100 + (widths[0] ?? 0) : 0;
  };
  return separators.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** Comma-separated values as in RFC 4180: quotes keep separators and line ends, two of them stand for one. */
export function parseTable(text: string, separator: string, limit = Number.POSITIVE_INFINITY): Table {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const cell = /"((?:[^"]|"")*)"?|[^\n\r]*/y;
  const plain = new RegExp(`[^${separator === "\t" ? "\\t" : `\\${separator}`}\\r\\n]*`, "y");
  while (at < text.length && rows.length < limit) {
    const isQuoted = text[at] === '"';
    const reader = isQuoted ? cell : plain;
    reader.lastIndex = at;
    const found = reader.exec(text);
    row.push(isQuoted ? (found?.[1] ?? "").replaceAll('""', '"') : (found?.[0] ?? ""));
    at += found?.[0].length ?? 0;
    if (isQuoted) {
      // What stands between the closing quote and the separator belongs to the cell all the same.
      plain.lastIndex = at;
      const rest = plain.exec(text)?.[0] ?? "";
      row[row.length - 1] += rest;
      at += rest.length;
    }
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return { rows, columns: rows.reduce((most, one) => Math.max(most, one.length), 0) };
}
