import { describe, expect, test } from "vitest";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";
import { editAfter, formerKeys } from "../../shared/documents/former-keys.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { encodeChange, encodeValue, repeatChanges } from "../../shared/documents/merge.ts";
import type { Json, JsonObject } from "../../shared/kernel/json.ts";

const person = (family: string, more: JsonObject = {}): JsonObject => ({
  person_or_org: { type: "personal", family_name: family, given_name: "A." },
  ...more,
});
const start = canonical({
  metadata: {
    title: "Field notes of the north",
    creators: [person("Berg"), person("Dahl"), person("Lund")],
  },
});
const withMetadata = (change: JsonObject): DraftInput =>
  canonical({ ...start, metadata: { ...start.metadata, ...change } });
const people = (...families: string[]): DraftInput => withMetadata({ creators: families.map((name) => person(name)) });
const names = ({ metadata }: DraftInput): string[] =>
  (metadata.creators as { person_or_org: { family_name: string } }[]).map((one) => one.person_or_org.family_name);

const at = (...affiliations: Json[]): DraftInput => withMetadata({ creators: [person("Berg", { affiliations })] });
const titled = (title: string): DraftInput => withMetadata({ additional_titles: [{ title }] });

/** Edits made one after the other in one document, of which `published` was made into a new one before they came. */
function after(first: DraftInput, published: DraftInput, ...edits: DraftInput[]) {
  let { state: mine } = encodeChange(genesis(start), first, 10);
  let anew: ReturnType<typeof repeatChanges> | undefined;
  for (const [index, next] of edits.entries()) {
    const edit = encodeChange(mine, next, 20 + index);
    anew = repeatChanges(anew?.state ?? genesis(published), edit.changes, edit.orders, 30 + index);
    mine = edit.state;
  }
  return { names: anew && names(anew.input), lost: anew?.lost, input: anew?.input };
}

describe("edits repeated in a document made anew (hosts-and-sync 4)", () => {
  test("edits of a draft that was published meanwhile live on in the draft started anew", () => {
    const mine = encodeChange(
      genesis(start),
      withMetadata({ title: "My field notes of the north", creators: [person("Berg"), person("Voss")], version: "3" }),
      10,
    );
    const published = withMetadata({ title: "Field notes of the far north", version: "2" });
    const again = repeatChanges(genesis(published), mine.changes, mine.orders, 11);
    expect(again.input.metadata).toMatchObject({ title: "My field notes of the far north", version: "2" });
    expect(names(again.input)).toEqual(["Berg", "Voss"]);
    expect(again.lost).toEqual([{ path: ["metadata", "version"], mine: "3", theirs: "2", loser: "author" }]);
  });

  test("500 people renamed at once, and 500 places where one of them works", () => {
    const many = (name: string): DraftInput =>
      withMetadata({
        creators: Array.from({ length: 500 }, (_, index) => person(`${name} ${index}`)),
        contributors: [
          person("Voss", { affiliations: Array.from({ length: 500 }, (_, index) => ({ name: `${name} ${index}` })) }),
        ],
      });
    const [old, renamed] = [many("Institute of something"), many("Laboratory")];
    const edit = encodeChange(genesis(old), renamed, 10);
    // Each item of the draft is said once, whatever was changed in it.
    expect(JSON.stringify(edit.changes).length).toBeLessThan(6 * JSON.stringify(old).length);
    const { state } = encodeChange(genesis(old), old, 11);
    expect(repeatChanges(state, edit.changes, edit.orders, 12)).toMatchObject({ input: renamed, lost: [] });
  });

  test("what leads nowhere, to a whole list, or comes twice, is no change", () => {
    const twice = ["3", "4"].map((after) => ({ path: ["metadata", "version"], after }));
    const nowhere = [
      ["metadata"],
      ["metadata", "creators"],
      ["__proto__", "x"],
      ["metadata", "creators", "a", "b"],
      [],
    ];
    const sent = [...nowhere.map((path) => ({ path, after: { id: "x" } })), ...twice];
    const again = repeatChanges(genesis(start), sent, [], 11);
    expect(again.input).toEqual(withMetadata({ version: "3" }));
    expect(again.lost).toEqual([]);
    const named = ["metadata", "creators", "__proto__", "person_or_org", "family_name"];
    expect(repeatChanges(genesis(start), [{ path: named, before: "a", after: "b", item: {} }], [], 11)).toMatchObject({
      input: start,
      lost: [{ path: named.slice(0, 3), mine: {} }],
    });
    expect(Object.hasOwn(Object.prototype, "person_or_org")).toBe(false);
  });

  test("what stands already in a document made anew is not added to it a second time under its old name", () => {
    const spelledOut = { person_or_org: { type: "personal", family_name: "Berg", given_name: "Anna" } };
    const path = ["metadata", "creators", "name:berg, a."];
    const { changes } = encodeValue(genesis(withMetadata({ creators: [] })), path, spelledOut, 10);
    const published = withMetadata({ creators: [spelledOut, person("Dahl")] });
    expect(names(repeatChanges(genesis(published), changes, [], 11).input)).toEqual(["Berg", "Dahl"]);
  });

  test.each([
    ["moved", ["Lund", "Berg", "Dahl"], ["Berg", "Dahl", "Lund"], ["Lund", "Berg", "Dahl"]],
    [
      "moved, one added there",
      ["Lund", "Berg", "Dahl"],
      ["Berg", "Voss", "Dahl", "Lund"],
      ["Lund", "Voss", "Berg", "Dahl"],
    ],
    ["moved, one removed there", ["Lund", "Dahl", "Berg"], ["Berg", "Lund"], ["Lund", "Berg"]],
    ["added in front", ["Voss", "Berg", "Dahl", "Lund"], ["Berg", "Dahl", "Lund"], ["Voss", "Berg", "Dahl", "Lund"]],
    ["added at the end", ["Berg", "Dahl", "Lund", "Voss"], ["Lund", "Dahl", "Berg"], ["Lund", "Dahl", "Berg", "Voss"]],
  ])("people reorder: %s, in a draft started anew meanwhile too", (_what, mine, there, result) => {
    const { changes, orders } = encodeChange(genesis(start), people(...mine), 10);
    const again = repeatChanges(genesis(people(...there)), changes, orders, 11);
    expect(names(again.input)).toEqual(result);
    expect(again.lost).toEqual([]);
  });

  const renamed = people("Bergen", "Dahl", "Lund");
  test.each([
    ["renamed again", renamed, [people("Berger", "Dahl", "Lund")], ["Berger", "Dahl", "Lund"]],
    [
      "renamed twice again",
      renamed,
      [people("Berger", "Dahl", "Lund"), people("Bergman", "Dahl", "Lund")],
      ["Bergman", "Dahl", "Lund"],
    ],
    ["removed", renamed, [people("Dahl", "Lund")], ["Dahl", "Lund"]],
    ["moved", renamed, [people("Dahl", "Lund", "Bergen")], ["Dahl", "Lund", "Bergen"]],
    [
      "moved, then renamed, then moved back",
      renamed,
      [people("Dahl", "Lund", "Bergen"), people("Dahl", "Lund", "Berger"), people("Berger", "Dahl", "Lund")],
      ["Berger", "Dahl", "Lund"],
    ],
    [
      "another one moved before it",
      people("Voss", "Bergen", "Dahl", "Lund"),
      [people("Lund", "Bergen", "Dahl")],
      ["Voss", "Lund", "Bergen", "Dahl"],
    ],
    ["moved and renamed", renamed, [people("Dahl", "Lund", "Berger")], ["Dahl", "Lund", "Berger"]],
    [
      "renamed, one added there",
      people("Voss", "Bergen", "Dahl", "Lund"),
      [people("Berger", "Dahl", "Lund")],
      ["Voss", "Berger", "Dahl", "Lund"],
    ],
  ])("who was renamed before the publication is the same person after it: %s", (_what, published, edits, result) => {
    expect(after(renamed, published, ...edits)).toMatchObject({ names: result, lost: [] });
  });

  test("the places where one works are put in order, though the person and a place were renamed before", () => {
    const [before, renamed]: [Json[], Json[]] = [
      [{ name: "Uni" }, { name: "Lab" }],
      [{ name: "Uni" }, { id: "lab", name: "Lab" }],
    ];
    const berg = (family: string, affiliations: Json[]): DraftInput =>
      withMetadata({ creators: [person(family, { affiliations })] });
    const published = berg("Bergen", renamed);
    const next = berg("Bergen", renamed.toReversed());
    const { state } = encodeChange(encodeChange(genesis(start), berg("Berg", before), 10).state, published, 11);
    const { changes, orders } = encodeChange(state, next, 12);
    expect(changes).toEqual([]);
    expect(repeatChanges(genesis(published), changes, orders, 13)).toMatchObject({ input: next, lost: [] });
  });

  test("of two people who take each other's names before the publication the right one is removed after it", () => {
    const marked = (berg: string, dahl: string): DraftInput =>
      withMetadata({
        creators: [
          person(berg, { role: { id: "editor" } }),
          person(dahl, { role: { id: "producer" } }),
          person("Lund"),
        ],
      });
    const steps = [marked("Berg", "Dahl"), marked("Holm", "Dahl"), marked("Holm", "Berg"), marked("Dahl", "Berg")];
    let state = genesis(start);
    for (const [index, next] of steps.entries()) ({ state } = encodeChange(state, next, 10 + index));
    const afterRemoval = withMetadata({ creators: [person("Berg", { role: { id: "producer" } }), person("Lund")] });
    const { changes, orders } = encodeChange(state, afterRemoval, 20);
    const again = repeatChanges(genesis(marked("Dahl", "Berg")), changes, orders, 21);
    expect(again.input).toEqual(afterRemoval);
    expect(again.lost).toEqual([]);
  });

  /** Repeats an edit of `start` in what was published of it after `steps`. */
  function acrossPublication(next: DraftInput, ...steps: DraftInput[]) {
    let state = genesis(start);
    for (const [index, step] of steps.entries()) ({ state } = encodeChange(state, step, 10 + index));
    const published = genesis(steps.at(-1) ?? start);
    const { changes, orders } = encodeChange(genesis(start), next, 20);
    const edit = editAfter(formerKeys(state, published), { changes, orders, correctPaths: [] });
    return repeatChanges(published, edit.changes, edit.orders, 21, edit.correctPaths);
  }
  const given = (berg: string): DraftInput =>
    withMetadata({
      creators: [{ person_or_org: { type: "personal", family_name: "Berg", given_name: berg } }, person("Dahl")],
    });

  test("one name changed to two on both sides of a publication: one value stands, the other is kept for its author", () => {
    const again = acrossPublication(given("Anna"), given("Astrid"));
    expect(again.input).toEqual(given("Astrid"));
    const path = ["metadata", "creators", "name:berg, astrid", "person_or_org", "given_name"];
    expect(again.lost).toEqual([{ path, mine: "Anna", theirs: "Astrid", loser: "author" }]);
  });

  test("an item renamed to another's name before publishing is not mistaken for it in an earlier edit", () => {
    const edit = withMetadata({
      creators: [person("Berg", { role: { id: "editor" } }), person("Dahl"), person("Lund")],
    });
    const again = acrossPublication(edit, people("Holm", "Dahl", "Lund"), people("Holm", "Berg", "Lund"));
    expect(again.input.metadata.creators).toEqual([
      person("Holm", { role: { id: "editor" } }),
      person("Berg"),
      person("Lund"),
    ]);
    expect(again.lost).toEqual([]);
  });

  test.each<[string, DraftInput, DraftInput, DraftInput]>([
    ["an affiliation", at({ name: "Uni" }), at({ id: "uni", name: "Uni" }), at({ id: "uni", name: "University" })],
    ["another title", titled("Snow"), titled("Snow and ice"), titled("Snow, ice")],
  ])("what is known by another name since the publication is found in it: %s", (_what, before, published, next) => {
    const { state } = encodeChange(encodeChange(genesis(start), before, 10).state, published, 11);
    const { changes, orders } = encodeChange(state, next, 12);
    expect(repeatChanges(genesis(published), changes, orders, 13)).toMatchObject({ input: next, lost: [] });
  });
});
