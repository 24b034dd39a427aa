/**
 * Whether the tokens of a phrase stand in one value with at most `slop` displacement: one word between costs 1,
 * two neighbours swapped cost 2 (search 5.3). Each token of the value serves once.
 */
export function isSloppyMatch(tokens: readonly string[], phrase: readonly string[], slop: number): boolean {
  if (phrase.length === 0) return false;
  // A token that stands at `at` would have the phrase begin at `at - index`; the spread of these is what it costs.
  const starts = phrase.map((wanted, index) => tokens.flatMap((token, at) => (token === wanted ? [at - index] : [])));
  return areNear(starts, slop);
}

/** The same, from the places where the phrase would begin for each position of each token. */
export function areNear(starts: readonly number[][], slop: number): boolean {
  if (starts.some((list) => list.length === 0)) return false;
  if (slop === 0) return starts[0]?.some((start) => starts.every((list) => list.includes(start))) ?? false;
  const bounds = [...new Set(starts.flat())].sort((a, b) => a - b);
  return bounds.some((low) => isCovered(starts, low, low + slop));
}

/** Picks a start for every token within the bounds, no place of the value twice: an augmenting-path matching. */
function isCovered(starts: readonly number[][], low: number, high: number): boolean {
  const takenBy = new Map<number, number>();
  const place = (index: number, seen: Set<number>): boolean => {
    for (const start of starts[index] ?? []) {
      const at = start + index;
      if (start < low || start > high || seen.has(at)) continue;
      seen.add(at);
      const other = takenBy.get(at);
      if (other !== undefined && !place(other, seen)) continue;
      takenBy.set(at, index);
      return true;
    }
    return false;
  };
  return starts.every((_, index) => place(index, new Set()));
}
