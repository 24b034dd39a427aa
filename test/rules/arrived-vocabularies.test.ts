import { expect, test } from "vitest";
import { validateAnswer } from "../../main/sync/validate-answer.ts";
import { vocabularyPage } from "../../shared/sync-protocol/vocabularies.schema.ts";

const pageWith = (type: string, entry: object) => ({
  entries: [{ type, entry, created: 1_700_000_000_000_000, updated: 1_700_000_000_000_000, revision_id: 1 }],
  cursor: "1.1",
  more: false,
});

/** Values of another form than an import stores. Lists with such an entry could not be answered or shown any more. */
const wrong: [string, string, object][] = [
  ["affiliations of a person that are no list", "names", { id: "ada", name: "Ada", affiliations: 7 }],
  ["a title of numbers", "subjects", { id: "ada", subject: "Ada", title: { en: 7 } }],
  ["a title that is null", "subjects", { id: "ada", subject: "Ada", title: null }],
  ["a funder that is a text", "awards", { id: "ada", number: "1", funder: "Ada" }],
  ["tags that are a number", "licenses", { id: "ada", title: { en: "Ada" }, tags: 7 }],
  ["no id", "names", { id: "", name: "Ada" }],
];

test.each(wrong)("a server's entry of a vocabulary with %s is refused (issue 15, deliver 5)", (_what, type, entry) => {
  expect(() => validateAnswer(vocabularyPage, pageWith(type, entry))).toThrow("this app cannot use");
});

test("an entry with values that only a newer server knows is stored unchanged (hosts-and-sync 6, Version skew)", () => {
  const names = [{ id: "x", name: "X", since: 2030 }];
  const page = pageWith("names", { kind: "person", id: "ada", name: "Ada", affiliations: names, title: { de: "Ada" } });
  expect(JSON.stringify(validateAnswer(vocabularyPage, page).entries[0]?.entry)).toBe(
    JSON.stringify(page.entries[0]?.entry),
  );
});
