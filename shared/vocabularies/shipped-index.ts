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

function find(index: ShippedIndex, words: Words): Set<number> {
  if ("any" in words) return new Set(words.any.flatMap((part) => [...find(index, part)]));
  if ("all" in words) {
    const [first, ...others] = words.all.map((part) => find(index, part));
    return new Set([...(first ?? [])].filter((place) => others.every((other) => other.has(place))));
  }
  const found = new Set<number>();
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
  return [...find(index, words)].sort((a, b) => a - b).flatMap((place) => index.entries[place] ?? []);
}
