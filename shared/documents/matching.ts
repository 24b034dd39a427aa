import { digest } from "lib0/hash/sha256";
import type { Json } from "../kernel/json.ts";
import type { ListPlace } from "../metadata/place.schema.ts";

/** How many pairs of texts of one list are compared for similarity, when neither content nor name identifies the item. */
const maxComparisons = 250_000;
/** From this similarity on, two items are one item that was edited. */
const likeEnough = 0.6;
/** Between the same neighbours, less is enough: "Ott, A." becomes "Ott, Annabella". */
const likeEnoughInPlace = 0.2;

/**
 * Finds for each item of `next` its index in `old`: by content, else by name, else (where items may change their name) by
 * similarity or position. Undefined: a new item. Items are in canonical form.
 */
export function matchItems(list: ListPlace, old: readonly Json[], next: readonly Json[]): (number | undefined)[] {
  const matched: (number | undefined)[] = next.map(() => undefined);
  const free = new Set(old.keys());
  const claim = (index: number, oldIndex: number): void => {
    matched[index] = oldIndex;
    free.delete(oldIndex);
  };
  const passes: ((item: Json) => string[])[] = [
    (item) => [JSON.stringify(item)],
    (item) => list.namesOf(item).slice(0, 1),
    (item) => list.namesOf(item),
  ];
  const pairing: Pairing = { old, next, matched, free, claim };
  for (const names of passes) matchBy(names, pairing);
  if (list.renames) {
    matchAlike(pairing);
    matchInPlace(pairing);
  }
  return matched;
}

/** The state of matching; `free`: the old items without a match. */
interface Pairing {
  old: readonly Json[];
  next: readonly Json[];
  matched: readonly (number | undefined)[];
  free: ReadonlySet<number>;
  claim(index: number, oldIndex: number): void;
}

/** Matches a single item between the same neighbours as before, if it is similar enough. */
function matchInPlace({ old, next, matched, free, claim }: Pairing): void {
  next.forEach((item, index) => {
    const before = index === 0 ? -1 : matched[index - 1];
    const after = index === next.length - 1 ? old.length : matched[index + 1];
    if (matched[index] !== undefined || before === undefined || after !== before + 2 || !free.has(before + 1)) return;
    if (likeness(leavesOf(old[before + 1]), leavesOf(item)) >= likeEnoughInPlace) claim(index, before + 1);
  });
}

function matchBy(names: (item: Json) => string[], { old, next, matched, free, claim }: Pairing): void {
  const known = new Map<string, number[]>();
  for (const oldIndex of [...free].reverse()) {
    for (const name of names(old[oldIndex] ?? null)) {
      const places = known.get(name);
      if (places) places.push(oldIndex);
      else known.set(name, [oldIndex]);
    }
  }
  next.forEach((item, index) => {
    if (matched[index] !== undefined) return;
    for (const name of names(item)) {
      const oldIndex = firstFree(known.get(name) ?? [], free);
      if (oldIndex === undefined) continue;
      claim(index, oldIndex);
      break;
    }
  });
}

/** The first free index of `places`, read from the end. Removes the used ones before it. */
function firstFree(places: number[], free: ReadonlySet<number>): number | undefined {
  for (let place = places.at(-1); place !== undefined; place = places.at(-1)) {
    if (free.has(place)) return place;
    places.pop();
  }
  return undefined;
}

function matchAlike({ old, next, matched, free, claim }: Pairing): void {
  const unmatched = [...next.keys()].filter((index) => matched[index] === undefined);
  const before = [...free].map((oldIndex) => ({ oldIndex, text: leavesOf(old[oldIndex]) }));
  const after = unmatched.map((index) => ({ index, text: leavesOf(next[index]) }));
  if (sizeOf(before) * after.length + sizeOf(after) * before.length > maxComparisons) return;
  const pairs = after.flatMap(({ index, text }) =>
    before.map((one) => ({ index, oldIndex: one.oldIndex, score: likeness(one.text, text) })),
  );
  pairs.sort((a, b) => b.score - a.score || a.index - b.index || a.oldIndex - b.oldIndex);
  for (const { index, oldIndex, score } of pairs)
    if (score >= likeEnough && matched[index] === undefined && free.has(oldIndex)) claim(index, oldIndex);
}

const sizeOf = (items: readonly { text: ReadonlyMap<string, string> }[]): number =>
  items.reduce((sum, { text }) => sum + text.size + 1, 0);

/** Similarity of two items: the share of common text at the same places, 0 to 1. */
function likeness(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): number {
  let common = 0;
  let total = 0;
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    const [mine, theirs] = [left.get(path) ?? "", right.get(path) ?? ""];
    total += Math.max(mine.length, theirs.length);
    common += sharedEnds(mine, theirs);
  }
  return total === 0 ? 1 : common / total;
}

function leavesOf(item: Json | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  leaves(item, "", found);
  return found;
}

function leaves(value: Json | undefined, path: string, into: Map<string, string>): void {
  if (typeof value === "object" && value !== null) {
    // Many items have the same type, so it does not identify one.
    for (const [key, member] of Object.entries(value)) if (key !== "type") leaves(member, `${path}/${key}`, into);
  } else if (value !== undefined && value !== null) into.set(path, String(value).slice(0, 500));
}

function sharedEnds(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let start = 0;
  while (start < limit && a[start] === b[start]) start++;
  let end = 0;
  while (end < limit - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return start + end;
}

/** The keys of a list, each with the next number to try for an item of the same name. */
export type TakenKeys = Map<string, number>;

/** The key of a new item: its name, so that the same item added by two users becomes one; with `~2` if the key exists. */
export function takeKey(list: ListPlace, item: Json, taken: TakenKeys): string {
  const [name = `=${JSON.stringify(item)}`] = list.namesOf(item);
  const plain = name.length > 80 || name.startsWith("=") ? hashText(name) : name;
  let key = plain;
  for (let n = taken.get(plain) ?? 2; taken.has(key); n++) {
    key = `${plain}~${n}`;
    taken.set(plain, n + 1);
  }
  taken.set(key, 2);
  return key;
}

const hashText = (text: string): string =>
  [...digest(new TextEncoder().encode(text)).slice(0, 10)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
