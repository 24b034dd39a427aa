import { isNarrow, positionsBetween } from "./position.ts";

/**
 * New positions for the items of a list, as few as possible. `order` has the old index of each item (undefined: new),
 * `old` the old positions in order. Undefined in the result: the item keeps its position. If positions become too long,
 * all items get new ones.
 */
export function placeInOrder(
  order: readonly (number | undefined)[],
  old: readonly (string | undefined)[],
): (string | undefined)[] {
  const placed: (string | undefined)[] = order.map(() => undefined);
  const staying = longestRise(order);
  if (staying.size === order.length) return placed;
  const placeOf = (index: number): string | undefined => (staying.has(index) ? old[order[index] ?? -1] : undefined);
  let low: string | undefined;
  for (let index = 0; index < order.length; ) {
    let end = index;
    while (end < order.length && !fits(placeOf(end), low, end === index)) end++;
    const high = end < order.length ? placeOf(end) : undefined;
    positionsBetween(low, high, end - index).forEach((place, n) => {
      placed[index + n] = place;
    });
    low = high;
    index = end + 1;
  }
  const isTooNarrow = placed.some((place) => place !== undefined && isNarrow(place));
  return isTooNarrow ? positionsBetween(undefined, undefined, order.length) : placed;
}

/** Whether an item can keep its position after `low`. Equal positions, made concurrently, must be direct neighbours. */
const fits = (place: string | undefined, low: string | undefined, isNext: boolean): boolean =>
  place !== undefined && (low === undefined || place > low || (isNext && place === low));

/** Indexes of a longest ascending subsequence of the old indexes. These items need not move. */
function longestRise(order: readonly (number | undefined)[]): Set<number> {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  order.forEach((value, index) => {
    if (value === undefined) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((order[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = index;
  });
  const rise = new Set<number>();
  for (let index = tails.at(-1); index !== undefined; index = before[index]) rise.add(index);
  return rise;
}
