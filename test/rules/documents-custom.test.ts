import { expect, test } from "vitest";
import * as Y from "yjs";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { encodeChange, inputOf, mergeChange, openDocument } from "../../shared/documents/merge.ts";
import type { JsonObject } from "../../shared/kernel/json.ts";
import { applyUpdate } from "./documents.arbitrary.ts";

const withJournal = (journal: JsonObject) => canonical({ custom_fields: { "journal:journal": journal } });

test("members of one custom field merge; of one member, the later value is kept as lost (app H8)", () => {
  const base = genesis(withJournal({ title: "Sea", volume: "1", pages: "2" }));
  const first = encodeChange(base, withJournal({ title: "Deep Sea", volume: "1" }), 10);
  const second = encodeChange(base, withJournal({ title: "The Sea", volume: "1", pages: "2", issue: "4" }), 11);
  const met = mergeChange(first.state, second.update ?? new Uint8Array(), second.changes, 12);
  expect(met.input.custom_fields).toEqual({ "journal:journal": { title: "Deep Sea", volume: "1", issue: "4" } });
  expect(met.lost).toEqual([
    { path: ["custom_fields", "journal:journal.title"], mine: "The Sea", theirs: "Deep Sea", loser: "author" },
  ]);
  const updates = [first.update, met.repair].flatMap((update) => update ?? []);
  expect(inputOf(updates.reduce(applyUpdate, second.state))).toEqual(met.input);
});

test("a custom field that a live client wrote as a whole is edited by members (app H8)", () => {
  const doc = openDocument(genesis(canonical({})), 5);
  const fields = doc.getMap("draft").get("custom_fields") as Y.Map<unknown>;
  fields.set("journal:journal", { title: "Sea", volume: "1" });
  const state = Y.encodeStateAsUpdate(doc);
  expect(inputOf(state).custom_fields).toEqual({ "journal:journal": { title: "Sea", volume: "1" } });
  const edited = encodeChange(state, withJournal({ volume: "2" }), 6);
  expect(inputOf(edited.state).custom_fields).toEqual({ "journal:journal": { volume: "2" } });
});
