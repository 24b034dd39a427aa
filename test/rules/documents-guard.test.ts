import * as encoding from "lib0/encoding";
import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { guardUpdate, maxStructsPerUpdate } from "../../shared/documents/guard.ts";
import { encodeChange, openDocument } from "../../shared/documents/merge.ts";
import type { Json } from "../../shared/kernel/json.ts";

const state = genesis(
  canonical({
    metadata: { title: "A title", subjects: [{ subject: "snow" }] },
    pids: { doi: { identifier: "10.5072/x", provider: "datacite" } },
  }),
);

/** What a foreign client does to the document, as the guard sees it. */
function attempt(edit: (draft: Y.Map<unknown>, doc: Y.Doc) => void, from = state) {
  const doc = openDocument(from, 99);
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => edit(doc.getMap("draft"), doc));
  return guardUpdate(from, Y.mergeUpdates(updates));
}
const mapAt = (root: Y.Map<unknown>, ...path: string[]): Y.Map<unknown> => {
  let map = root;
  for (const key of path) {
    const next = map.get(key);
    if (!(next instanceof Y.Map)) throw new Error(`${key} is no map`);
    map = next;
  }
  return map;
};
const nest = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((inner) => ({ a: inner }), 1);
function nestMaps(into: Y.Map<unknown>, depth: number, key = "a"): void {
  const map = new Y.Map<unknown>();
  into.set(key, map);
  if (depth > 1) nestMaps(map, depth - 1);
}
const titleOf = (draft: Y.Map<unknown>): Y.Text => {
  const title = mapAt(draft, "metadata").get("title");
  if (!(title instanceof Y.Text)) throw new Error("no title");
  return title;
};

describe("what a document takes (hosts-and-sync 8, Live document)", () => {
  test("the root has exactly the five keys, metadata a map, the title a text", () => {
    const draft = openDocument(state).getMap("draft");
    expect([...draft.keys()].toSorted()).toEqual(["access", "custom_fields", "files", "metadata", "pids"]);
    expect(titleOf(draft).toString()).toBe("A title");
    expect(mapAt(draft, "metadata").get("description")).toBeInstanceOf(Y.Text);
  });

  test("edits of a plain client: text, scalars, references, items with a key of its own", () => {
    const answer = attempt((draft) => {
      titleOf(draft).insert(0, "Live: ");
      const metadata = mapAt(draft, "metadata");
      metadata.set("publisher", "P");
      metadata.set("resource_type", { id: "dataset" });
      mapAt(metadata, "subjects").set("mine", new Y.Map([["subject", "ice"]]));
      mapAt(metadata, "languages").set("l", new Y.Map([["id", "eng"]]));
      mapAt(draft, "custom_fields").set("ns:name", ["a", 1]);
    });
    expect(answer).toMatchObject({
      ok: true,
      changed: true,
      input: {
        metadata: {
          title: "Live: A title",
          publisher: "P",
          resource_type: { id: "dataset" },
          subjects: [{ subject: "snow" }, { subject: "ice" }],
        },
        custom_fields: { "ns:name": ["a", 1] },
      },
    });
  });

  test.each<[string, (draft: Y.Map<unknown>, doc: Y.Doc) => void]>([
    ["another key at the root", (draft) => draft.set("status", "published")],
    ["a second root", (_, doc) => doc.getMap("other").set("a", 1)],
    ["a root that is an array", (_, doc) => doc.getArray("list").push([1])],
    ["a part removed", (draft) => draft.delete("files")],
    ["a part replaced", (draft) => draft.set("custom_fields", new Y.Map())],
    ["an unknown field", (draft) => mapAt(draft, "metadata").set("owner", "me")],
    ["a plain title", (draft) => mapAt(draft, "metadata").set("title", "plain")],
    ["a formatted title", (draft) => titleOf(draft).format(0, 2, { bold: true })],
    ["an object in a title", (draft) => titleOf(draft).insertEmbed(0, { image: "x" })],
    ["a number for text", (draft) => mapAt(draft, "metadata").set("publisher", 4)],
    ["bytes", (draft) => mapAt(draft, "metadata").set("publisher", new Uint8Array([1]))],
    ["a document", (draft) => mapAt(draft, "custom_fields").set("x", new Y.Doc())],
    ["an array for a list", (draft) => mapAt(draft, "metadata").set("subjects", new Y.Array())],
    ["a plain list", (draft) => mapAt(draft, "metadata").set("subjects", [{ subject: "x" }])],
    ["a plain item", (draft) => mapAt(draft, "metadata", "subjects").set("x", { subject: "x" })],
    ["an unknown field of an item", (draft) => mapAt(draft, "metadata", "subjects").set("x", new Y.Map([["is", 1]]))],
    ["a place that is none", (draft) => mapAt(draft, "metadata", "subjects").set("x", new Y.Map([["_p", "0"]]))],
    ["access that is no access", (draft) => mapAt(draft, "access").set("record", "everyone")],
    ["access removed", (draft) => mapAt(draft, "access").delete("files")],
    ["a list of files", (draft) => mapAt(draft, "files").set("entries", {})],
    ["files.enabled as text", (draft) => mapAt(draft, "files").set("enabled", "yes")],
    [
      "a DOI of the service",
      (draft) => mapAt(draft, "pids").set("doi", { identifier: "10.5072/y", provider: "datacite" }),
    ],
    [
      "a reference with more than an id",
      (draft) => mapAt(draft, "metadata").set("resource_type", { id: "a", title: {} }),
    ],
    ["undefined inside a value", (draft) => mapAt(draft, "custom_fields").set("x", [undefined])],
    ["a value as deep as no JSON of ours", (draft) => mapAt(draft, "custom_fields").set("x", nest(1000))],
    ["maps as deep as no JSON of ours", (draft) => nestMaps(mapAt(draft, "custom_fields"), 5000)],
    ["a reference of maps in maps", (draft) => nestMaps(mapAt(draft, "metadata"), 5000, "resource_type")],
    ["a big integer", (draft) => mapAt(draft, "custom_fields").set("x", 1n)],
  ])("refused: %s", (_, edit) => {
    expect(attempt(edit)).toMatchObject({ ok: false, reason: "shape" });
  });

  test("a field that a newer program wrote is kept by every edit, and changed by none (hosts-and-sync 6, Version skew)", () => {
    const doc = openDocument(state, 50);
    const item = new Y.Map<unknown>([["name", "Microscope"]]);
    mapAt(doc.getMap("draft"), "metadata").set("instruments", new Y.Map([["m", item]]));
    mapAt(doc.getMap("draft"), "metadata", "subjects").forEach((subject) => {
      if (subject instanceof Y.Map) subject.set("depth", 4);
    });
    const newer = Y.encodeStateAsUpdate(doc);
    const edited = attempt((draft) => {
      titleOf(draft).insert(0, "Live: ");
      mapAt(draft, "metadata", "subjects").forEach((subject) => {
        if (subject instanceof Y.Map) subject.set("subject", "ice");
      });
    }, newer);
    expect(edited).toMatchObject({
      ok: true,
      input: { metadata: { title: "Live: A title", subjects: [{ subject: "ice" }] } },
    });
    const after = edited.ok ? openDocument(edited.state).getMap("draft").toJSON() : undefined;
    expect(after).toMatchObject({ metadata: { instruments: { m: { name: "Microscope" } } } });
    expect(Object.values(after?.metadata.subjects ?? {})).toMatchObject([{ depth: 4 }]);
    const refused = { ok: false, reason: "shape" };
    const change = (draft: Y.Map<unknown>) => mapAt(draft, "metadata", "instruments", "m").set("name", "Other");
    expect(attempt(change, newer)).toMatchObject(refused);
    expect(attempt((draft) => mapAt(draft, "metadata").set("instruments", 1), newer)).toMatchObject(refused);
    const remove = (draft: Y.Map<unknown>) => mapAt(draft, "metadata").delete("instruments");
    expect(attempt(remove, newer)).toMatchObject({ ok: true });
  });

  test("an external DOI is an author's to set, a reserved one may stay or go", () => {
    const doi = { identifier: "10.1234/y", provider: "external" };
    expect(attempt((draft) => mapAt(draft, "pids").set("doi", doi))).toMatchObject({
      ok: true,
      input: { pids: { doi } },
    });
    expect(attempt((draft) => mapAt(draft, "pids").delete("doi"))).toMatchObject({ ok: true, input: { pids: {} } });
  });

  test("a torn update at any length is refused, never thrown", () => {
    const next = canonical({ metadata: { title: "Another title", publisher: "P", languages: [{ id: "eng" }] } });
    const update = encodeChange(state, next, 7).update ?? new Uint8Array();
    for (let length = 0; length < update.length; length++)
      expect(guardUpdate(state, update.slice(0, length))).toMatchObject({ ok: false, reason: "torn" });
    for (let at = 0; at < update.length; at++) {
      const broken = update.slice();
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      expect(guardUpdate(state, broken)).toHaveProperty("ok");
    }
  });

  test("an update whose causes are missing is refused", () => {
    const first = encodeChange(state, canonical({ metadata: { title: "A title", publisher: "P" } }), 7);
    const second = encodeChange(first.state, canonical({ metadata: { title: "A title", publisher: "Q" } }), 7);
    expect(guardUpdate(state, second.update ?? new Uint8Array())).toMatchObject({ ok: false, reason: "gap" });
  });

  test("more parts than an update may have", () => {
    const answer = attempt((draft) => {
      for (let i = 0; i <= maxStructsPerUpdate; i++) mapAt(draft, "custom_fields").set(`k${i % 10}`, i);
    });
    expect(answer).toMatchObject({ ok: false, reason: "too_many_structs" });
  });

  test.each<[string, (into: encoding.Encoder, client: number, clock: number) => void]>([
    [
      "ten thousand pieces that all stand between the first letter and another one",
      (into, client, clock) => {
        for (const number of [1, 10_000, 77, 0]) encoding.writeVarUint(into, number);
        for (let index = 0; index < 10_000; index++) {
          encoding.writeUint8(into, 4 | 128 | 64);
          for (const number of [client, clock, client, clock + 2 + index]) encoding.writeVarUint(into, number);
          encoding.writeVarString(into, "y");
        }
        encoding.writeVarUint(into, 0);
      },
    ],
    [
      "every second letter of a long text deleted, the last one first",
      (into, client, clock) => {
        for (const number of [0, 1, client, 10_000]) encoding.writeVarUint(into, number);
        for (let index = 10_000; index > 0; index--)
          for (const number of [clock + index * 2, 1]) encoding.writeVarUint(into, number);
      },
    ],
  ])("what would hold the thread for minutes is refused before it is put in: %s", (_, write) => {
    const long = genesis(canonical({ metadata: { title: "x".repeat(25_000) } }));
    const start = titleOf(openDocument(long).getMap("draft"))._start?.id ?? { client: 0, clock: 0 };
    const update = encoding.encode((into) => write(into, start.client, start.clock));
    expect(guardUpdate(long, update)).toMatchObject({ ok: false, reason: "too_costly" });
  });

  test("a document over 16 MiB (Live limits)", () => {
    const answer = attempt((draft) => titleOf(draft).insert(0, "x".repeat(16 * 1024 * 1024)));
    expect(answer).toMatchObject({ ok: false, reason: "too_large" });
  });

  test("an update that brings nothing new is no change", () => {
    expect(guardUpdate(state, state)).toMatchObject({ ok: true, changed: false });
    expect(guardUpdate(state, new Uint8Array([0, 0]))).toMatchObject({ ok: true, changed: false });
  });
});
