import { expect, test } from "vitest";
import { Bitset } from "../../shared/search/bitset.ts";
import { isSloppyMatch } from "../../shared/search/phrase.ts";
import { WordOrder } from "../../shared/search/word-order.ts";
import { WordParts } from "../../shared/search/word-parts.ts";
import { Random } from "../support/random.ts";

/** A word of no matter; others are the numbers of frequent words. */
const rare = -1;
const someWords = (random: Random): number[] =>
  random
    .list(0, 8, () => (random.chance(0.6) ? random.below(4) : rare))
    .flatMap((word) => (word === rare ? Array<number>(random.of([1, 1, 2, 94, 95, 200])).fill(rare) : [word]));

test("words near each other in the kept order are those of the texts, and in one part of these (search 5.3)", () => {
  const random = new Random(31);
  const texts = Array.from({ length: 200 }, (_, at) => ({
    // Places are passed over where a document was deleted.
    place: at * 2,
    title: someWords(random),
    others: random.list(0, 4, () => someWords(random)),
  }));
  const order = new WordOrder(10, 10);
  const parts = new WordParts(4, 10);
  for (const { place, title, others } of texts) {
    const put = (word: number, isInTitle: boolean): void => {
      order.put(word);
      parts.put(word, place, isInTitle);
    };
    order.begin(place);
    parts.begin();
    for (const word of title) put(word, true);
    order.endValue(true);
    for (const value of others) {
      parts.beginValue();
      for (const word of value) put(word, false);
      order.endValue(false);
    }
  }
  let found = 0;
  let passedOver = 0;
  for (let round = 0; round < 200; round += 1) {
    const near = {
      words: random.list(1, 4, () => random.below(4)),
      slop: random.of([0, 0, 1, 2, 3, 5, 95, 1000]),
      isInTitle: random.chance(0.3),
    };
    const isNear = order.finder(near);
    const together = new Bitset();
    parts.addTogether(near.words, near.slop + near.words.length - 1, together);
    const phrase = near.words.map(String);
    for (const { place, title, others } of texts) {
      const values = near.isInTitle ? [title] : [title, ...others];
      const isExpected = values.some((value) => isSloppyMatch(value.map(String), phrase, near.slop));
      if (isNear(place) !== isExpected) expect({ near, title, others }).toEqual(isExpected);
      if (isExpected) expect(together.has(place)).toBe(true);
      found += isExpected ? 1 : 0;
      passedOver += together.has(place) ? 0 : 1;
    }
    expect(isNear(1)).toBe(false);
  }
  expect(found).toBeGreaterThan(500);
  expect(passedOver).toBeGreaterThan(500);
});
