import { applySplices, type DiffEffort, diffText, type Splice } from "./text-diff.ts";

export interface MergedText {
  merged: string;
  /** Whether nothing overlapped. Yjs' own merge is the same then. */
  isPlain: boolean;
  /** Whether a change of `mine` lost against a change of `theirs` at the same characters. */
  conflict: boolean;
}

/**
 * Three-way merge of a text. Keeps edits in different places, keeps an equal edit once, and keeps `theirs` where both
 * replaced the same characters.
 */
export function mergeText(base: string, mine: string, theirs: string, effort?: DiffEffort): MergedText {
  const standing = diffText(base, theirs, effort);
  const wanted = diffText(base, mine, effort);
  const isThere = new Set(standing.map(idOf));
  const kept: Splice[] = [];
  let conflict = false;
  let next = 0;
  for (const splice of wanted) {
    // Both lists are ascending: a splice that ends before this one ends before all later ones.
    while (endOf(standing[next]) <= splice.at) next++;
    const isOverlapping = (standing[next]?.at ?? Number.POSITIVE_INFINITY) < endOf(splice);
    if (isThere.has(idOf(splice))) continue;
    if (isOverlapping) conflict = true;
    else kept.push(splice);
  }
  const merged = applySplices(base, join(standing, kept));
  return { merged, isPlain: kept.length === wanted.length, conflict };
}

const idOf = ({ at, remove, insert }: Splice): string => `${at} ${remove} ${insert}`;

const endOf = (splice: Splice | undefined): number =>
  splice === undefined ? Number.POSITIVE_INFINITY : splice.at + splice.remove;

const join = (a: readonly Splice[], b: readonly Splice[]): Splice[] =>
  [...a, ...b].sort((left, right) => left.at - right.at || left.remove - right.remove);
