import { fold, tokensOf } from "../search/language/analysis.ts";
import type { Catalogue, FieldKind } from "../search/language/field.ts";
import { flatten, type Projection } from "../search/language/flatten.ts";
import { type AnalysedDocument, analysed } from "../search/lists/memory-matcher.ts";
import type { VocabularyEntry } from "./vocabulary.schema.ts";

/** The displayed name: title, name, subject, or the id. */
const labelOf = (entry: VocabularyEntry): string =>
  entry.title?.en ?? entry.name ?? entry.subject ?? Object.values(entry.title ?? {})[0] ?? entry.number ?? entry.id;

/** The sort key of lists. */
export const sortTitleOf = (entry: VocabularyEntry): string => fold(labelOf(entry));

const kinds = new Map<string, FieldKind>([
  ...["id", "scheme", "country", "icon", "tags", "identifiers.identifier", "identifiers.scheme", "funder.id"].map(
    (path): [string, FieldKind] => [path, "keyword"],
  ),
  ...["id.text", "name", "acronym", "subject", "number", "given_name", "family_name"].map(
    (path): [string, FieldKind] => [path, "text"],
  ),
  ...["affiliations.name", "funder.name"].map((path): [string, FieldKind] => [path, "text"]),
]);

/** Suggestions and bare words search these fields (search 9), and the titles in all languages. */
const weights = new Map([
  ["id", 5],
  ["id.text", 1],
  ["acronym", 2],
  ["identifiers.identifier", 2],
  ...["name", "subject", "number", "given_name", "family_name"].map((path): [string, number] => [path, 1]),
]);

/** The fields of every vocabulary. An id matches as a whole and, as `id.text`, by its words. */
export const entryCatalogue: Catalogue = {
  kindOf(path) {
    if (path.startsWith("title.") || path.startsWith("description.")) return "text";
    return path.startsWith("props.") ? "keyword" : kinds.get(path);
  },
  defaultWeight: (path) => (path.startsWith("title.") ? 1 : weights.get(path)),
  isHidden: () => false,
};

const projection: Projection = {
  isHtml: () => false,
  fieldsAt(path) {
    const kind = entryCatalogue.kindOf(path);
    const own = kind === undefined ? [] : [{ path, kind }];
    return path === "id" ? [...own, { path: "id.text", kind: "text" }] : own;
  },
};

/** An entry as a search document. */
export const documentOfEntry = (entry: VocabularyEntry): AnalysedDocument => analysed(flatten(entry, projection));

/** The tokens of an entry for the full text table: of the default fields, and of all others. */
export function wordsOfEntry(entry: VocabularyEntry): { words: string; others: string } {
  const tokens: { words: string[]; others: string[] } = { words: [], others: [] };
  for (const { path, value } of flatten(entry, projection)) {
    const isDefault = entryCatalogue.defaultWeight(path) !== undefined;
    tokens[isDefault ? "words" : "others"].push(...tokensOf(String(value)));
  }
  return { words: tokens.words.join(" "), others: tokens.others.join(" ") };
}
