import type { VocabularyEntry } from "../../../api-client/record-types.ts";
import { titleText } from "../../../format/names.ts";

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The entry that another one is a kind of: `publication` of `publication-article`. */
function parentOf(entry: VocabularyEntry, entries: readonly VocabularyEntry[]): VocabularyEntry | undefined {
  const { type, subtype } = entry.props ?? {};
  return subtype ? entries.find(({ id }) => id === type) : undefined;
}

/** What tells an entry from others of the same title: its parent ("Image" of "Other"), else its description. */
export function helpOf(entry: VocabularyEntry, entries: readonly VocabularyEntry[]): string | undefined {
  const parent = parentOf(entry, entries);
  if (parent) return titleText(parent.title, parent.id);
  return entry.description ? titleText(entry.description, "") || undefined : undefined;
}

/** How near an entry is to a typed text. 0: the same title; 1: it starts so; 2: holds it; 3: the id does; 4: not at all. */
function distance(entry: VocabularyEntry, wanted: string): number {
  const title = plain(titleText(entry.title, entry.id));
  if (title === wanted) return 0;
  if (title.startsWith(wanted)) return 1;
  if (title.includes(wanted)) return 2;
  return plain(entry.id).includes(wanted) ? 3 : 4;
}

/** The entries that fit a text, nearest first; of equally near ones those that are a kind of nothing come first. */
export function nearest(entries: readonly VocabularyEntry[], text: string): VocabularyEntry[] {
  const wanted = plain(text);
  const isKind = (entry: VocabularyEntry) => Number(parentOf(entry, entries) !== undefined);
  return entries
    .map((entry) => ({ entry, far: distance(entry, wanted) }))
    .filter(({ far }) => far < 4)
    .sort((a, b) => a.far - b.far || isKind(a.entry) - isKind(b.entry))
    .map(({ entry }) => entry);
}

/** All entries, each followed by its kinds. */
export function inFamilies(entries: readonly VocabularyEntry[]): VocabularyEntry[] {
  const heads = entries.filter((entry) => !parentOf(entry, entries));
  return heads.flatMap((head) => [head, ...entries.filter((entry) => parentOf(entry, entries) === head)]);
}

/** Recommended entries that fit, those for data first, then what else was found. */
export function recommendedFirst(
  recommended: readonly VocabularyEntry[],
  found: readonly VocabularyEntry[],
  text: string,
): VocabularyEntry[] {
  const isOther = ({ tags }: VocabularyEntry) => Number(!tags?.includes("data"));
  const first = (text ? nearest(recommended, text) : [...recommended]).sort((a, b) => isOther(a) - isOther(b));
  return [...first, ...(text ? found.filter(({ id }) => !first.some((one) => one.id === id)) : [])];
}
