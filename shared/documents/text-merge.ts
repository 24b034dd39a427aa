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
 * replaced the same characters. What `mine` changed beside such a place is lost with it, such as the unit of a number.
 * @param seen the text as Yjs merged it, which has the order of two insertions at one place
 */
export function mergeText(base: string, mine: string, theirs: string, effort?: DiffEffort, seen = ""): MergedText {
  const standing = diffText(base, theirs, effort);
  const wanted = diffText(base, mine, effort);
  const isThere = new Set(standing.map(idOf));
  const fresh = wanted.filter((splice) => !isThere.has(idOf(splice)));
  const lost = withNeighbours(base, fresh, overlapping(fresh, standing));
  const kept = fresh.filter((splice) => !lost.has(splice));
  const merged = applySplices(base, join(standing, kept, seen.length > longestSeen ? "" : seen));
  return { merged, isPlain: kept.length === wanted.length, conflict: lost.size > 0 };
}

/** The splices that change characters which another one changes. Both lists are ascending. */
function overlapping(splices: readonly Splice[], others: readonly Splice[]): Set<Splice> {
  const lost = new Set<Splice>();
  let next = 0;
  for (const splice of splices) {
    // One that ends before this splice ends before all later ones.
    while (endOf(others[next]) <= splice.at) next++;
    if ((others[next]?.at ?? Number.POSITIVE_INFINITY) < endOf(splice)) lost.add(splice);
  }
  return lost;
}

/** Also the splices that only a space separates from a lost one: 4 km, as 25 km and 500 m, never becomes 25 m. */
function withNeighbours(base: string, splices: readonly Splice[], lost: ReadonlySet<Splice>): ReadonlySet<Splice> {
  if (lost.size === 0) return lost;
  const all = new Set(lost);
  const look = (order: readonly Splice[]) => {
    for (const [index, splice] of order.entries()) {
      const before = order[index - 1];
      if (before && all.has(before) && isBeside(base, before, splice)) all.add(splice);
    }
  };
  look(splices);
  look(splices.toReversed());
  return all;
}

function isBeside(base: string, one: Splice, other: Splice): boolean {
  const [left, right] = one.at < other.at ? [one, other] : [other, one];
  return /^\s?$/u.test(base.slice(left.at + left.remove, right.at));
}

/** In a longer text, looking for each pair of words would take long. */
const longestSeen = 50_000;

const idOf = ({ at, remove, insert }: Splice): string => `${at} ${remove} ${insert}`;

const endOf = (splice: Splice | undefined): number =>
  splice === undefined ? Number.POSITIVE_INFINITY : splice.at + splice.remove;

/** Both lists in one. At one place `a` comes first, unless `seen` has it the other way round. */
const join = (a: readonly Splice[], b: readonly Splice[], seen: string): Splice[] => {
  const ofB = new Set(b);
  const placeOf = (splice: Splice, other: Splice): number => {
    const [first, second] = ofB.has(splice) ? [other, splice] : [splice, other];
    const isTurned = seen.includes(second.insert + first.insert) && !seen.includes(first.insert + second.insert);
    return (splice === first) === isTurned ? 1 : -1;
  };
  return [...a, ...b].sort((left, right) => left.at - right.at || left.remove - right.remove || placeOf(left, right));
};
