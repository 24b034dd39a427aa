import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { inputOf, mergeChange, openDocument } from "../../shared/documents/merge.ts";
import { hasDeletedItems } from "../../shared/documents/yjs-internals.ts";

/** What a live client does to the document. */
function live(from: Uint8Array, clientId: number, edit: (doc: Y.Doc) => void) {
  const doc = openDocument(from, clientId);
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => edit(doc));
  return { update: Y.mergeUpdates(updates), state: Y.encodeStateAsUpdate(doc) };
}
function mapIn(doc: Y.Doc, ...path: string[]): Y.Map<unknown> {
  const found = path.reduce<unknown>(
    (map, key) => (map instanceof Y.Map ? map.get(key) : undefined),
    doc.getMap("draft"),
  );
  if (!(found instanceof Y.Map)) throw new Error(`no map at ${path}`);
  return found;
}
function textIn(doc: Y.Doc, ...path: string[]): Y.Text {
  const found = mapIn(doc, ...path).get("description");
  if (!(found instanceof Y.Text)) throw new Error(`no text at ${path}`);
  return found;
}

describe("live edits in an item that another removes (hosts-and-sync 4)", () => {
  const methods = ["metadata", "additional_descriptions"];
  const base = genesis(
    canonical({
      metadata: {
        title: "A title",
        additional_descriptions: [{ description: "How it was done.", type: { id: "methods" } }],
      },
    }),
  );
  const [key = ""] = mapIn(openDocument(base), ...methods).keys();
  const typed = (words: string, from = base) => live(from, 21, (doc) => textIn(doc, ...methods, key).insert(0, words));
  const removed = (from = base) => live(from, 22, (doc) => mapIn(doc, ...methods).delete(key));
  const item = (description: string) => ({ description, type: { id: "methods" } });
  const path = [...methods, key];

  test("the edit arrives first: it goes with the item, and is kept for its author", () => {
    const met = mergeChange(typed("See. ").state, removed().update, [], 30);
    expect(met.lost).toEqual([{ path, mine: item("See. How it was done."), loser: "earlier" }]);
    expect(met.input.metadata).not.toHaveProperty("additional_descriptions");
  });

  test("who had seen it removed it with the item; an item that was only moved was not edited", () => {
    const seen = typed("See. ").state;
    expect(mergeChange(seen, removed(seen).update, [], 30).lost).toEqual([]);
    const moved = live(base, 21, (doc) => mapIn(doc, ...path).set("_p", "k"));
    expect(mergeChange(moved.state, removed().update, [], 30).lost).toEqual([]);
  });

  test("the removal arrives first: what was written into the item is kept, letter by letter", () => {
    const afterRemoval = mergeChange(base, removed().update, [], 30).state;
    const one = typed("a");
    const two = live(one.state, 21, (doc) => textIn(doc, ...path).insert(1, "b"));
    const first = mergeChange(afterRemoval, one.update, [], 31, { before: [base] });
    expect(first.lost).toEqual([{ path, mine: item("aHow it was done."), loser: "author" }]);
    expect(first.input).toEqual(inputOf(afterRemoval));
    const second = mergeChange(first.state, two.update, [], 32, { before: [first.past ?? base, base] });
    expect(second.lost).toEqual([{ path, mine: item("abHow it was done."), loser: "author" }]);
  });

  test("a late client sends its whole document, which still has the item: no earlier state is needed", () => {
    const afterRemoval = mergeChange(base, removed().update, [], 30).state;
    const { update, state } = typed("See. ");
    const late = mergeChange(afterRemoval, update, [], 31, { whole: state, before: [] });
    expect(late.lost).toEqual([{ path, mine: item("See. How it was done."), loser: "author" }]);
    expect(late.input).toEqual(inputOf(afterRemoval));
    expect([hasDeletedItems(base), hasDeletedItems(afterRemoval), hasDeletedItems(late.state)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  const emptied = (from = base) => live(from, 21, (doc) => mapIn(doc, ...path).delete("type"));

  test.each<[string, () => Uint8Array, object]>([
    ["a field", () => emptied().update, { description: "How it was done." }],
    ["letters", () => live(base, 21, (doc) => textIn(doc, ...path).delete(0, 4)).update, item("it was done.")],
    ["a field, the whole document sent", () => emptied().state, { description: "How it was done." }],
  ])("the removal arrives first: that %s was taken out of the item is kept", (_, sent, mine) => {
    const afterRemoval = mergeChange(base, removed().update, [], 30).state;
    const late = mergeChange(afterRemoval, sent(), [], 31, { before: [base] });
    expect(late).toMatchObject({ lost: [{ path, mine, loser: "author" }], effect: [] });
    expect(late.state).toEqual(afterRemoval);
  });

  test("something was taken out of the item, its removal arrives then: the item without it is kept for its author", () => {
    const mine = { description: "How it was done." };
    const fresh = { isFresh: true, before: [] };
    const met = mergeChange(emptied().state, removed().update, [], 30, fresh);
    expect(met.lost).toEqual([{ path, mine, loser: "earlier" }]);
    const seen = emptied().state;
    expect(mergeChange(seen, removed(seen).update, [], 30, fresh).lost).toEqual([]);
    expect(mergeChange(seen, removed(seen).state, [], 30).lost).toEqual([]);
  });

  test("what had been taken out before the removal is no edit, whoever sends it again", () => {
    const before = emptied();
    const afterRemoval = mergeChange(before.state, removed(before.state).update, [], 30).state;
    const past = { before: [before.state, base] };
    for (const again of [before.update, before.state, afterRemoval, removed(before.state).state]) {
      expect(mergeChange(afterRemoval, again, [], 31, past)).toMatchObject({ lost: [], concurrent: [] });
    }
  });

  test("moving what is gone is no edit", () => {
    const afterRemoval = mergeChange(base, removed().update, [], 30).state;
    const moved = live(base, 21, (doc) => mapIn(doc, ...path).set("_p", "k"));
    expect(mergeChange(afterRemoval, moved.update, [], 31, { before: [base] })).toMatchObject({
      lost: [],
      concurrent: [],
    });
  });
});
