/**
 * Whether the tokens of a phrase stand in one value with at most `slop` displacement: one word between costs 1,
 * two neighbours swapped cost 2 (search 5.3). Each token of the value serves once.
 */
export function isSloppyMatch(tokens: readonly string[], phrase: readonly string[], slop: number): boolean {
  if (phrase.length === 0 || phrase.length > tokens.length) return false;
  const placesOf = new Map(phrase.map((wanted): [string, number[]] => [wanted, []]));
  for (const [at, token] of tokens.entries()) placesOf.get(token)?.push(at);
  return areNear(
    phrase.map((wanted) => placesOf.get(wanted) ?? []),
    slop,
  );
}

/**
 * The same, from the places of each token of the phrase, in ascending order. A token that the phrase has more than once
 * names the same list each time.
 *
 * A token that stands at `at` would have the phrase begin at `at - index`. The spread of these begins is what it costs.
 */
export function areNear(places: readonly (readonly number[])[], slop: number): boolean {
  let low = Math.min(...places.map(([first = Number.POSITIVE_INFINITY], index) => first - index));
  for (;;) {
    const high = latestBegin(places, low);
    if (high === undefined) return false;
    if (high - low <= slop) return true;
    // A later start takes no earlier places, so nothing before this one can be near.
    low = high - slop;
  }
}

/**
 * The latest begin when each token takes its first free place that lets the phrase begin at `low` or later. No other
 * choice ends earlier, because a later token of the phrase never needs an earlier place. Undefined without enough places.
 */
function latestBegin(places: readonly (readonly number[])[], low: number): number | undefined {
  const next = new Map<readonly number[], number>();
  let latest = low;
  for (const [index, list] of places.entries()) {
    let at = next.get(list) ?? 0;
    while ((list[at] ?? Number.POSITIVE_INFINITY) < low + index) at += 1;
    const place = list[at];
    if (place === undefined) return undefined;
    next.set(list, at + 1);
    latest = Math.max(latest, place - index);
  }
  return latest;
}
