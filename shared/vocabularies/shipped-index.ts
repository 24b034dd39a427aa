import { Slices } from "../kernel/time-slice.ts";
import type { Words } from "./candidate-words.ts";
import { wordsOfEntry } from "./entry-words.ts";
import { listShippedEntries } from "./shipped-entries.ts";
import type { VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

/** An index of the shipped entries by their words. */
interface ShippedIndex {
  entries: VocabularyEntry[];
  /** Positions in `entries`, by token. */
  places: Map<string, number[]>;
  /** The tokens in order, for prefixes. */
  tokens: string[];
}

const built = new Map<VocabularyType, Promise<ShippedIndex>>();

async function build(type: VocabularyType): Promise<ShippedIndex> {
  const entries = listShippedEntries(type);
  const places = new Map<string, number[]>();
  const slices = new Slices();
  for (const [place, entry] of entries.entries()) {
    const { words, others } = wordsOfEntry(entry);
    for (const token of new Set(`${words} ${others}`.split(" "))) {
      const known = places.get(token);
      if (known) known.push(place);
      else places.set(token, [place]);
    }
    await slices.next();
  }
  return { entries, places, tokens: [...places.keys()].sort() };
}

function* tokensFrom({ tokens }: ShippedIndex, prefix: string): Generator<string> {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  for (let at = low; tokens[at]?.startsWith(prefix); at++) yield tokens[at] ?? "";
}

/** The places of the entries with these words. A query may have thousands of words. */
async function find(index: ShippedIndex, words: Words, slices: Slices): Promise<Set<number>> {
  const found = new Set<number>();
  if ("any" in words) {
    for (const part of words.any) for (const place of await find(index, part, slices)) found.add(place);
    return found;
  }
  if ("all" in words) {
    let common: Set<number> | undefined;
    for (const part of words.all) {
      const places = await find(index, part, slices);
      common = common ? new Set([...common].filter((place) => places.has(place))) : places;
      if (common.size === 0) return common;
    }
    return common ?? found;
  }
  await slices.next();
  const tokens = words.isPrefix ? tokensFrom(index, words.token) : [words.token];
  for (const token of tokens) for (const place of index.places.get(token) ?? []) found.add(place);
  return found;
}

/** The shipped entries with these words, in the order of the vocabulary; without words, all of them. */
export async function listShippedCandidates(
  type: VocabularyType,
  words: Words | undefined,
): Promise<readonly VocabularyEntry[]> {
  const known = built.get(type) ?? build(type);
  built.set(type, known);
  const index = await known;
  if (words === undefined) return index.entries;
  return [...(await find(index, words, new Slices()))]
    .sort((a, b) => a - b)
    .flatMap((place) => index.entries[place] ?? []);
}
