import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { guardUpdate } from "../../shared/documents/guard.ts";
import { encodeChange, encodeValue, inputOf, mergeChange, openDocument } from "../../shared/documents/merge.ts";
import { isObject, type Json, type JsonObject } from "../../shared/kernel/json.ts";
import { applyUpdate } from "./documents.arbitrary.ts";

const person = (family: string, more: JsonObject = {}): JsonObject => ({
  person_or_org: { type: "personal", family_name: family, given_name: "A." },
  ...more,
});
const start = canonical({
  metadata: {
    resource_type: { id: "dataset" },
    title: "Field notes of the north",
    publisher: "Carrel",
    creators: [person("Berg"), person("Dahl"), person("Lund")],
    subjects: [{ subject: "snow" }],
    additional_descriptions: [{ description: "How it was done.", type: { id: "methods" } }],
  },
  files: { enabled: true, order: ["a.txt", "b.txt", "c.txt"] },
});
const withMetadata = (change: JsonObject, draft = start): DraftInput =>
  canonical({ ...draft, metadata: { ...draft.metadata, ...change } });

/** Both edit the same state; the second arrives later at the server. */
function meet(one: DraftInput, two: DraftInput, draft = start) {
  const base = genesis(draft);
  const first = encodeChange(base, one, 10);
  const second = encodeChange(base, two, 11);
  const update = second.update ?? new Uint8Array([0, 0]);
  const guarded = guardUpdate(first.state, update);
  const server = mergeChange(first.state, update, second.changes, 12);
  const late = server.repair === null ? first.update : first.update && applyAll(first.update, server.repair);
  return { ...server, guarded, replica: inputOf(late === null ? second.state : applyUpdate(second.state, late)) };
}
const applyAll = (a: Uint8Array, b: Uint8Array): Uint8Array => applyUpdate(a, b);
const names = (input: DraftInput): (string | undefined)[] =>
  (input.metadata.creators as Json[]).map((creator) => {
    const name = isObject(creator) && isObject(creator.person_or_org) ? creator.person_or_org.family_name : undefined;
    return typeof name === "string" ? name : undefined;
  });

describe("reconciling a draft (hosts-and-sync 4)", () => {
  test("different fields: both edits are there", () => {
    const met = meet(withMetadata({ publisher: "Other" }), withMetadata({ version: "2" }));
    expect(met.input.metadata).toMatchObject({ publisher: "Other", version: "2" });
    expect(met).toMatchObject({ lost: [], repair: null, guarded: { ok: true } });
    expect(met.replica).toEqual(met.input);
  });

  test("different list items, and different fields of one item: both edits are there", () => {
    const [berg, dahl, lund] = [person("Berg"), person("Dahl"), person("Lund")];
    const met = meet(
      withMetadata({ creators: [{ ...berg, role: { id: "editor" } }, dahl, lund] }),
      withMetadata({ creators: [{ ...berg, affiliations: [{ name: "Uni" }] }, person("Dahle"), lund] }),
    );
    expect(met.input.metadata.creators).toEqual([
      { ...berg, role: { id: "editor" }, affiliations: [{ name: "Uni" }] },
      person("Dahle"),
      lund,
    ]);
    expect(met.lost).toEqual([]);
  });

  test("the same long text in different places: both edits are in the text", () => {
    const met = meet(
      withMetadata({
        title: "My field notes of the north",
        additional_descriptions: [{ description: "How it all was done.", type: { id: "methods" } }],
      }),
      withMetadata({
        title: "Field notes of the far north, 2024",
        additional_descriptions: [{ description: "How it was done. Twice.", type: { id: "methods" } }],
      }),
    );
    expect(met.input.metadata.title).toBe("My field notes of the far north, 2024");
    expect(met.input.metadata.additional_descriptions).toEqual([
      { description: "How it all was done. Twice.", type: { id: "methods" } },
    ]);
    expect(met.lost).toEqual([]);
  });

  test("the same edit of a text on both sides is in once", () => {
    const both = withMetadata({ title: "Field notes of the south" });
    const met = meet(both, withMetadata({ title: "My Field notes of the south" }));
    expect(met.input.metadata.title).toBe("My Field notes of the south");
    expect(met.replica).toEqual(met.input);
  });

  test("a text replaced on both sides: the first stays whole, the other is kept", () => {
    const met = meet(withMetadata({ title: "Glaciers" }), withMetadata({ title: "Mountains" }));
    expect(met.input.metadata.title).toBe("Glaciers");
    expect(met.lost).toEqual([{ path: ["metadata", "title"], mine: "Mountains", theirs: "Glaciers", loser: "author" }]);
    expect(met.replica).toEqual(met.input);
  });

  test("the same scalar edited to two values: one wins everywhere, the other is kept", () => {
    for (const [one, two] of [
      ["X", "Y"],
      ["Y", "X"],
    ]) {
      const met = meet(withMetadata({ publisher: one ?? "" }), withMetadata({ publisher: two ?? "" }));
      expect(met.input.metadata.publisher).toBe(one);
      expect(met.replica).toEqual(met.input);
      expect(met.lost).toEqual([{ path: ["metadata", "publisher"], mine: two, theirs: one, loser: "author" }]);
    }
  });

  test("the same scalar edited to the same value is no conflict", () => {
    const both = withMetadata({ publisher: "X", resource_type: { id: "image" } });
    expect(meet(both, both)).toMatchObject({ lost: [], repair: null, input: both });
  });

  test.each([
    ["one value", { publisher: "One" }, { publisher: "Two" }, ["metadata", "publisher"], "Two", "One"],
    [
      "a reference",
      { resource_type: { id: "image" } },
      { resource_type: { id: "video" } },
      ["metadata", "resource_type"],
      { id: "video" },
      { id: "image" },
    ],
    ["a field first filled on both sides", { version: "1" }, { version: "2" }, ["metadata", "version"], "2", "1"],
  ])(
    "%s set by two live editors in one moment: the first stands everywhere, the other is kept",
    (_what, one, two, path, mine, theirs) => {
      for (const [first, second] of [
        [10, 11],
        [11, 10],
      ] as const) {
        const base = genesis(start);
        const there = encodeChange(base, withMetadata(one), first);
        const late = encodeChange(base, withMetadata({ ...two, copyright: "by me" }), second);
        const server = mergeChange(there.state, late.update ?? new Uint8Array(), [], 12);
        expect(server.lost).toEqual([{ path, mine, theirs, loser: "author" }]);
        expect(server.input.metadata).toMatchObject({ ...one, copyright: "by me" });
        const replica = applyUpdate(late.state, server.state);
        expect(inputOf(replica)).toEqual(server.input);
        // Typed on before the repair was seen: kept as well, and the first still stands.
        const on = encodeChange(late.state, withMetadata({ ...two, [path[1] ?? ""]: { id: "sound" } }), second);
        const again = mergeChange(server.state, on.update ?? new Uint8Array(), [], 13);
        expect(again.input.metadata).toMatchObject(one);
        // Who has seen what stands may change it.
        const seen = encodeChange(replica, withMetadata(two), second);
        expect(mergeChange(server.state, seen.update ?? new Uint8Array(), [], 14)).toMatchObject({
          lost: [],
          repair: null,
          input: { metadata: two },
        });
      }
    },
  );

  test("choosing mine sets the value that lost", () => {
    const met = meet(withMetadata({ publisher: "X" }), withMetadata({ publisher: "Y" }));
    const [lost] = met.lost;
    const chosen = encodeValue(met.state, lost?.path ?? [], lost?.mine, 13);
    expect(inputOf(chosen.state)).toEqual(withMetadata({ publisher: "Y" }));
  });

  test("an item edited here, removed there: removed, the edit kept, and it can be had back", () => {
    const met = meet(
      withMetadata({ creators: [person("Berg"), person("Lund")] }),
      withMetadata({ creators: [person("Berg"), person("Dahl", { role: { id: "editor" } }), person("Lund")] }),
    );
    expect(names(met.input)).toEqual(["Berg", "Lund"]);
    expect(met.lost).toEqual([
      {
        path: ["metadata", "creators", "name:dahl, a."],
        mine: person("Dahl", { role: { id: "editor" } }),
        loser: "author",
      },
    ]);
    const back = encodeValue(met.state, met.lost[0]?.path ?? [], met.lost[0]?.mine, 13);
    expect(names(inputOf(back.state))).toEqual(["Berg", "Lund", "Dahl"]);
  });

  test("an item removed here, edited there: removed, and the edit is kept for the one who made it", () => {
    const met = meet(
      withMetadata({ creators: [person("Berg"), person("Dahl", { role: { id: "editor" } }), person("Lund")] }),
      withMetadata({ creators: [person("Berg"), person("Lund")] }),
    );
    expect(names(met.input)).toEqual(["Berg", "Lund"]);
    expect(met.lost).toMatchObject([{ mine: person("Dahl", { role: { id: "editor" } }), loser: "earlier" }]);
  });

  test("two people reorder and edit: nothing is lost or doubled, one order everywhere", () => {
    const met = meet(
      withMetadata({ creators: [person("Lund"), person("Berg"), person("Dahl")] }),
      withMetadata({ creators: [person("Dahl"), person("Lund"), person("Berg", { role: { id: "editor" } })] }),
    );
    expect(names(met.input).toSorted()).toEqual(["Berg", "Dahl", "Lund"]);
    expect(met.input.metadata.creators).toContainEqual(person("Berg", { role: { id: "editor" } }));
    expect(met.replica).toEqual(met.input);
  });

  test("a given name spelled out on two sides is two values of one name, not two people", () => {
    const spelled = (given: string) => ({
      person_or_org: { type: "personal", family_name: "Dahl", given_name: given },
    });
    const met = meet(
      withMetadata({ creators: [person("Berg"), spelled("Annabella Augusta"), person("Lund")] }),
      withMetadata({ creators: [person("Berg"), spelled("Antonia Alexandra"), person("Lund")] }),
    );
    expect(names(met.input)).toEqual(["Berg", "Dahl", "Lund"]);
    expect(met.lost).toMatchObject([{ mine: "Antonia Alexandra", theirs: "Annabella Augusta" }]);
    expect(met.replica).toEqual(met.input);
  });

  test("additions of both are kept once: creators, subjects, languages, order of files", () => {
    const one = canonical({
      ...withMetadata({
        creators: [person("Berg"), person("Dahl"), person("Lund"), person("New")],
        subjects: [{ subject: "snow" }, { id: "http://id.example/ice" }, { subject: "wind" }],
        languages: [{ id: "eng" }],
      }),
      files: { enabled: true, order: ["a.txt", "b.txt", "c.txt", "d.txt"] },
    });
    const two = canonical({
      ...withMetadata({
        creators: [person("Berg"), person("Dahl"), person("Lund"), person("New"), person("Other")],
        subjects: [{ id: "http://id.example/ice" }, { subject: "snow" }, { subject: "rain" }],
        languages: [{ id: "eng" }, { id: "dan" }],
      }),
      files: { enabled: true, order: ["d.txt", "c.txt", "b.txt", "a.txt"] },
    });
    const met = meet(one, two);
    expect(names(met.input)).toEqual(["Berg", "Dahl", "Lund", "New", "Other"]);
    expect((met.input.metadata.subjects as Json[]).length).toBe(4);
    expect(met.input.metadata.languages).toEqual([{ id: "eng" }, { id: "dan" }]);
    expect(met.input.files.order.toSorted()).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
    expect(met.lost).toEqual([]);
    expect(met.replica).toEqual(met.input);
  });

  test("one person added on two sides with different details is one person with both", () => {
    const met = meet(
      withMetadata({ contributors: [person("Voss", { role: { id: "editor" } })] }),
      withMetadata({ contributors: [person("Voss", { role: { id: "editor" }, affiliations: [{ name: "Uni" }] })] }),
    );
    expect(met.input.metadata.contributors).toEqual([
      person("Voss", { role: { id: "editor" }, affiliations: [{ name: "Uni" }] }),
    ]);
    expect(met.lost).toEqual([]);
    expect(met.replica).toEqual(met.input);
  });

  test("two first subjects on an empty list are two subjects", () => {
    const empty = canonical({});
    const met = meet(
      withMetadata({ subjects: [{ subject: "one" }] }, empty),
      withMetadata({ subjects: [{ subject: "two" }] }, empty),
      empty,
    );
    expect(met.input.metadata.subjects).toEqual([{ subject: "one" }, { subject: "two" }]);
  });
});

test("of many items removed at once the same is left as Yjs alone leaves, byte for byte (sync 1.4)", () => {
  const all = Array.from({ length: 900 }, (_, at) => person(`Name ${at}`, { affiliations: [{ name: "Uni" }] }));
  const base = genesis(withMetadata({ creators: all }));
  const renamed = all.map((one, at) => (at % 3 === 0 ? { ...one, role: { id: "editor" } } : one));
  const edited = encodeChange(base, withMetadata({ creators: renamed }), 20).state;
  for (const kept of [
    [],
    renamed.slice(0, 300),
    renamed.slice(-300),
    renamed.filter((_, at) => at % 2 === 0),
    renamed.filter((_, at) => at % 7 === 0),
  ]) {
    const { update } = encodeChange(edited, withMetadata({ creators: kept }), 21);
    const [ours, plain] = [openDocument(edited), new Y.Doc()];
    Y.applyUpdate(plain, edited);
    for (const doc of [ours, plain]) Y.applyUpdate(doc, update ?? new Uint8Array());
    expect(Buffer.from(Y.encodeStateAsUpdate(ours)).equals(Y.encodeStateAsUpdate(plain))).toBe(true);
    expect([...ours.store.clients].map(([, structs]) => structs.length)).toEqual(
      [...plain.store.clients].map(([, structs]) => structs.length),
    );
  }
});
