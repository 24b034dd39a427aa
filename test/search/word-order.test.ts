import { expect, test } from "vitest";
import { isSloppyMatch } from "../../shared/search/language/phrase.ts";
import { WordOrder } from "../../shared/search/sqlite/accelerator/word-order.ts";
import { Random } from "../support/random.ts";

/** Stands for every word that is not frequent. */
const rare = -1;
const someWords = (random: Random): number[] =>
  random
    .list(0, 8, () => (random.chance(0.6) ? random.below(4) : rare))
    .flatMap((word) => (word === rare ? Array<number>(random.of([1, 1, 2, 94, 95, 200])).fill(rare) : [word]));

test("the word order finds the sloppy phrases that the texts hold, after changes too (search 5.3)", () => {
  const random = new Random(31);
  const order = new WordOrder();
  const texts = new Map<number, number[][]>();
  const put = (doc: number): void => {
    const values = random.list(1, 5, () => someWords(random));
    order.begin(doc);
    for (const [at, value] of values.entries()) {
      if (at > 0) order.endValue();
      for (const word of value) order.put(word);
    }
    order.endText();
    texts.set(doc, values);
  };
  for (let at = 0; at < 200; at += 1) put(at * 2);
  for (let at = 0; at < 30; at += 1) {
    const doc = random.below(200) * 2;
    if (random.chance(0.5)) {
      put(doc);
    } else {
      order.delete(doc);
      texts.delete(doc);
    }
  }
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const words = random.list(1, 4, () => random.below(4));
    const slop = random.of([0, 1, 2, 3, 5, 95, 1000]);
    const isNear = order.finder(words, slop);
    const phrase = words.map(String);
    for (let doc = 0; doc < 401; doc += 1) {
      const values = texts.get(doc) ?? [];
      const isExpected = values.some((value) => isSloppyMatch(value.map(String), phrase, slop));
      if (isNear(doc) !== isExpected) expect({ words, slop, values }).toEqual(isExpected);
      found += isExpected ? 1 : 0;
    }
  }
  expect(found).toBeGreaterThan(500);
});
