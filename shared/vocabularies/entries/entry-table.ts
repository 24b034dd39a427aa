import type { LocalisedText, VocabularyEntry } from "../vocabulary.schema.ts";

const languages = ["en", "de", "fr", "es", "it", "da"];

/** Reads a table written as text: columns divided by `|`, the first line names them, empty cells are left out. */
export function readTable(table: string): Record<string, string>[] {
  const [header = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.map((row) =>
    Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""]).filter(([, cell]) => cell)),
  );
}

/** Entries of a table with the columns `id`, a title in each language, and further ones, which become `props`. */
export function readEntries(table: string): VocabularyEntry[] {
  return readTable(table).map(({ id = "", ...cells }) => {
    const title: LocalisedText = {};
    const props: Record<string, string> = {};
    for (const [name, cell] of Object.entries(cells)) (languages.includes(name) ? title : props)[name] = cell;
    return { id, title, props };
  });
}
