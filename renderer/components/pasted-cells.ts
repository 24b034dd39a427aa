import type { ClipboardEvent } from "react";

/** A cell, in quotes where it holds quotes or line breaks, and what ends it. */
const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g;

/** Rows of cells as a spreadsheet copies them, without empty ones; lines of plain text are rows with one cell. */
export function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(cell)) {
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).replace(/\s+/g, " ").trim());
    if (end !== "\t") rows.push([]);
  }
  return rows.filter((row) => row.some((one) => one !== ""));
}

/** A longer text is not split. */
const maxTakenCharacters = 1_000_000;
/** Each cell becomes an entry that is drawn: 20,000 keywords stopped the page for a quarter of a minute. */
const maxTakenCells = 10_000;

/** Takes a paste of several cells or lines. Any other paste goes into the field as usual. */
export const onPasteRows = (take: (rows: string[][], text: string) => void) => (event: ClipboardEvent) => {
  const text = event.clipboardData.getData("text/plain");
  if (text.length > maxTakenCharacters) return;
  const rows = rowsOf(text);
  const cells = rows.flat().filter(Boolean).length;
  if (cells < 2 || cells > maxTakenCells) return;
  event.preventDefault();
  take(rows, text);
};

/** Each text once, in the order given. */
export const onlyOnce = (texts: readonly string[]): string[] => [...new Set(texts.filter(Boolean))];
