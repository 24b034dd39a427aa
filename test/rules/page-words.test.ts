import { expect, test } from "vitest";
import { wordsIn } from "../../server/pages/words.ts";

test("pages write large counts as readers of the language do (web 4, Record; issue 18)", () => {
  const [en, de] = [wordsIn("en"), wordsIn("de")];
  for (const [words, count] of [
    [en, "2,990"],
    [de, "2.990"],
  ] as const)
    for (const text of [words.morePeople, words.allVersions, words.views, words.downloads, words.allFiles])
      expect(text(2990)).toContain(count);
});

test("a sentence of a page that others follow ends (web 4)", () => {
  for (const language of ["en", "de"] as const) expect(wordsIn(language).linkEnded).toMatch(/\.$/);
});
