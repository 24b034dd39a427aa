import { expect, test } from "vitest";
import { isSloppyMatch } from "../../shared/search/language/phrase.ts";
import { Random } from "../support/random.ts";

/** Tries every choice of places. */
function isNearByTrying(tokens: readonly string[], phrase: readonly string[], slop: number): boolean {
  const tryFrom = (index: number, taken: readonly number[]): boolean => {
    if (index === phrase.length) {
      const begins = taken.map((at, word) => at - word);
      return Math.max(...begins) - Math.min(...begins) <= slop;
    }
    return tokens.some(
      (token, at) => token === phrase[index] && !taken.includes(at) && tryFrom(index + 1, [...taken, at]),
    );
  };
  return phrase.length > 0 && tryFrom(0, []);
}

test("a phrase matches as the best choice of places says, words that repeat too (search 5.3)", () => {
  const random = new Random(7);
  let matches = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const tokens = random.list(0, 7, () => random.of(["a", "a", "b", "c"]));
    const phrase = random.list(1, 5, () => random.of(["a", "a", "b", "c"]));
    const slop = random.below(6);
    const expected = isNearByTrying(tokens, phrase, slop);
    if (isSloppyMatch(tokens, phrase, slop) !== expected) expect({ tokens, phrase, slop }).toEqual(expected);
    matches += expected ? 1 : 0;
  }
  expect(matches).toBeGreaterThan(1000);
});

test("phrases of thousands of equal words cost a few milliseconds each, whether or not they match (security 6)", () => {
  const words = (count: number, word = "whale") => Array<string>(count).fill(word);
  const fastest = (work: () => boolean): [boolean, number] => {
    let best = Number.POSITIVE_INFINITY;
    let found = false;
    for (let run = 0; run < 5; run += 1) {
      const start = performance.now();
      found = work();
      best = Math.min(best, performance.now() - start);
    }
    return [found, best];
  };
  const cases: [string[], string[], number, boolean][] = [
    [words(1999), words(2000), 100_000, false],
    [words(20_000), words(2000), 0, true],
    [[...words(1999), "end"], [...words(1998), "end", "whale"], 1, false],
    [Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? "end" : "whale")), [...words(2000), "end"], 500, false],
    [
      Array.from({ length: 20_000 }, (_, at) => (at % 2000 === 1999 ? "end" : "whale")),
      [...words(2000), "end"],
      0,
      false,
    ],
  ];
  for (const [tokens, phrase, slop, expected] of cases) {
    const [found, ms] = fastest(() => isSloppyMatch(tokens, phrase, slop));
    expect(found, `${phrase.length} words, slop ${slop}`).toBe(expected);
    expect(ms, `${phrase.length} words, slop ${slop}`).toBeLessThan(200);
  }
});
