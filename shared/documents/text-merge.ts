import { applySplices, diffText, type Splice } from "./text-diff.ts";

export interface MergedText {
  merged: string;
  /** True when nothing overlapped: Yjs' own merge says the same and is left alone. */
  isPlain: boolean;
  /** True when a change of `mine` was left out for one of `theirs` at the same characters. */
  conflict: boolean;
}

/**
 * Three-way merge of a text: edits in different places are both in, an edit made the same on both sides is in once, and
 * where both replaced the same characters `theirs` stays.
 */
export function mergeText(base: string, mine: string, theirs: string): MergedText {
  const standing = diffText(base, theirs);
  const wanted = diffText(base, mine);
  const twice = wanted.filter((splice) => standing.some((other) => isSame(splice, other)));
  const lost = wanted.filter((splice) => !twice.includes(splice) && standing.some((other) => overlaps(splice, other)));
  const kept = wanted.filter((splice) => !twice.includes(splice) && !lost.includes(splice));
  const merged = applySplices(base, join(standing, kept));
  return { merged, isPlain: kept.length === wanted.length, conflict: lost.length > 0 };
}

const isSame = (a: Splice, b: Splice): boolean => a.at === b.at && a.remove === b.remove && a.insert === b.insert;

/** Both take away some of the same characters, or one writes into what the other takes away. */
const overlaps = (a: Splice, b: Splice): boolean => a.at < b.at + b.remove && b.at < a.at + a.remove;

const join = (a: readonly Splice[], b: readonly Splice[]): Splice[] =>
  [...a, ...b].sort((left, right) => left.at - right.at || left.remove - right.remove);
