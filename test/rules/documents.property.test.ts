import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { type Change, readChanges, valueAt } from "../../shared/documents/change.ts";
import { withoutStanding } from "../../shared/documents/conflict.ts";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { guardUpdate } from "../../shared/documents/guard.ts";
import { itemPlace, placeAt } from "../../shared/documents/layout.ts";
import { keyedDraft, plainOfKeyed } from "../../shared/documents/materialise.ts";
import { encodeChange, inputOf, mergeChange, openDocument, repeatChanges } from "../../shared/documents/merge.ts";
import { applySplices, diffText, type Splice } from "../../shared/documents/text-diff.ts";
import { mergeText } from "../../shared/documents/text-merge.ts";
import { type Json, type JsonObject, sameJson } from "../../shared/kernel/json.ts";
import { applyUpdate, drafts } from "./documents.arbitrary.ts";

fc.configureGlobal({ seed: 20261121, numRuns: 100 });

/** The update of an edit that did change something. */
const edit = (state: Uint8Array, next: DraftInput, clientId: number) => encodeChange(state, next, clientId);

const isRelated = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((key, index) => index >= b.length || b[index] === key);

/** An added item as its leaves; a removed one and a leaf as they are. */
function toLeaves({ path, after }: Change): { path: string[]; after?: Json | undefined }[] {
  const place = placeAt(path);
  if (place?.kind !== "object" || typeof after !== "object" || after === null || Array.isArray(after)) {
    return [{ path, after }];
  }
  const inside = (prefix: string[], value: Json): { path: string[]; after: Json }[] => {
    const kind = placeAt(prefix)?.kind;
    if (kind !== "object" && kind !== "list") return [{ path: prefix, after: value }];
    return Object.entries(value as JsonObject).flatMap(([key, member]) => inside([...prefix, key], member));
  };
  return inside(path, after);
}

describe("drafts as documents", () => {
  test("a draft goes in and comes out the same (sync 1.4)", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(inputOf(genesis(draft))).toEqual(draft);
      }),
    );
  });

  test("the first state is the same bytes wherever it is made", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(genesis(structuredClone(draft))).toEqual(genesis(draft));
      }),
    );
  });

  test("an edit makes the document say what was sent, and an unchanged body gives no update", () => {
    fc.assert(
      fc.property(drafts, drafts, (draft, next) => {
        const { state } = edit(genesis(draft), next, 7);
        expect(inputOf(state)).toEqual(next);
        expect(edit(state, next, 7).update).toBeNull();
      }),
    );
  });

  test("an update of our own passes the guard, also as one that only adds", () => {
    fc.assert(
      fc.property(drafts, drafts, (draft, next) => {
        const base = genesis(draft);
        const { update } = edit(base, { ...next, pids: draft.pids }, 7);
        if (update === null) return;
        expect(guardUpdate(base, update)).toMatchObject({
          ok: true,
          changed: true,
          input: { metadata: next.metadata },
        });
      }),
    );
  });

  test("edits of three replicas, exchanged in any order, end in the same draft", () => {
    fc.assert(
      fc.property(drafts, fc.array(fc.tuple(fc.nat(2), drafts), { maxLength: 6 }), fc.nat(), (draft, edits, turn) => {
        const base = genesis(draft);
        const states = [base, base, base];
        const updates: Uint8Array[] = [];
        for (const [replica, next] of edits) {
          const { state, update } = edit(states[replica] ?? base, next, replica + 10);
          states[replica] = state;
          if (update !== null) updates.push(update);
        }
        const all = updates.reduce(applyUpdate, base);
        for (const state of states) {
          const turned = updates.map((_, index) => updates[(index + turn) % updates.length] ?? new Uint8Array());
          expect(inputOf(turned.reduce(applyUpdate, state))).toEqual(inputOf(all));
        }
      }),
    );
  });

  test("the server's repair reaches every replica: all say the same, and it fits the draft's shape", () => {
    fc.assert(
      fc.property(drafts, drafts, drafts, (draft, one, two) => {
        const base = genesis(draft);
        const [first, second] = [edit(base, one, 10), edit(base, two, 11)];
        if (first.update === null || second.update === null) return;
        const server = mergeChange(first.state, second.update, second.changes, 12);
        const arrived = [first.update, ...(server.repair === null ? [] : [server.repair])];
        expect(inputOf(arrived.reduce(applyUpdate, second.state))).toEqual(server.input);
        expect(inputOf(server.state)).toEqual(server.input);
      }),
    );
  });

  test("nothing is lost silently: what either author meant stands, or is kept as lost (hosts-and-sync 4)", () => {
    fc.assert(
      fc.property(drafts, drafts, drafts, (draft, one, two) => {
        const base = genesis(draft);
        const [first, second] = [edit(base, one, 10), edit(base, two, 11)];
        if (first.update === null || second.update === null) return;
        const { state, lost } = mergeChange(first.state, second.update, second.changes, 12);
        const stands = keyedDraft(openDocument(state));
        const isKept = (path: readonly string[]) => lost.some((value) => isRelated(value.path, path));
        for (const { path, after } of [...first.changes, ...second.changes].flatMap(toLeaves)) {
          const value = valueAt(stands, path);
          const isText = placeAt(path)?.kind === "text" && value !== undefined;
          if (!sameJson(value, after) && !isText && !isKept(path)) expect({ path, value, after }).toBe("kept");
        }
      }),
    );
  });

  test("merging with what did not change is the edit alone", () => {
    fc.assert(
      fc.property(drafts, drafts, (draft, next) => {
        const base = genesis(draft);
        const { update, changes } = edit(base, next, 10);
        if (update === null) return;
        expect(mergeChange(base, update, changes, 11)).toMatchObject({ input: next, lost: [], repair: null });
      }),
    );
  });

  test("changes repeated in a document started anew say what they said, in the same order; an item that stands is not doubled", () => {
    const holdsTwice = (value: unknown): boolean => {
      if (typeof value !== "object" || value === null) return false;
      const items = Object.values(value);
      return (
        (Array.isArray(value) && new Set(items.map((item) => JSON.stringify(item))).size < items.length) ||
        items.some(holdsTwice)
      );
    };
    const once = drafts.filter((draft) => !holdsTwice(draft));
    fc.assert(
      fc.property(once, once, (draft, next) => {
        const base = genesis(draft);
        const { changes, orders } = edit(base, next, 10);
        expect(repeatChanges(base, changes, orders, 11)).toMatchObject({ input: next, lost: [] });
      }),
    );
  });

  test("text differences turn one text into the other and never cut a character in two", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const splices = diffText(before, after);
        expect(applySplices(before, splices)).toBe(after);
        for (const { insert } of splices) expect(insert.isWellFormed()).toBe(true);
      }),
    );
  });

  test("a word that is added in each of two texts stays whole when they merge, beside words that begin and end alike", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    const added = (words: string[], { at, word }: { at: number; word: string }) =>
      words.toSpliced(at % (words.length + 1), 0, word).join(" ");
    const addition = (mark: string) => fc.record({ at: fc.nat(), word: word.map((one) => `${one}${mark}${one}`) });
    const written = (start: Uint8Array, splices: Splice[]): Y.Doc => {
      const doc = openDocument(start);
      for (const { at, remove, insert } of splices.toReversed()) {
        doc.getText().delete(at, remove);
        doc.getText().insert(at, insert);
      }
      return doc;
    };
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), addition("1"), addition("2"), (words, mine, theirs) => {
        const base = words.join(" ");
        const start = Y.encodeStateAsUpdate(written(new Uint8Array([0, 0]), [{ at: 0, remove: 0, insert: base }]));
        const [one, two] = [mine, theirs].map((addition) =>
          Y.encodeStateAsUpdate(written(start, diffText(base, added(words, addition)))),
        );
        const both = openDocument(Y.mergeUpdates([one ?? start, two ?? start]))
          .getText()
          .toString();
        expect(both).toContain(mine.word);
        expect(both).toContain(theirs.word);
      }),
    );
  });

  test("texts merge as if each splice were held against each", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const [wanted, standing] = [diffText(base, mine), diffText(base, theirs)];
        const isSame = (a: Splice, b: Splice) => a.at === b.at && a.remove === b.remove && a.insert === b.insert;
        const overlaps = (a: Splice, b: Splice) => a.at < b.at + b.remove && b.at < a.at + a.remove;
        const own = wanted.filter((one) => !standing.some((other) => isSame(one, other)));
        const kept = own.filter((one) => !standing.some((other) => overlaps(one, other)));
        const { isPlain, conflict } = mergeText(base, mine, theirs);
        expect({ isPlain, conflict }).toEqual({
          isPlain: kept.length === wanted.length,
          conflict: kept.length < own.length,
        });
      }),
    );
  });

  test("of what is added again those are left out that stand, as if each were held against each", () => {
    fc.assert(
      fc.property(drafts, drafts, (one, two) => {
        const added = readChanges(encodeChange(genesis(canonical({})), one, 10).changes);
        const current = keyedDraft(openDocument(genesis(two)));
        const stands = ({ path, before, after }: Change): boolean => {
          const [list, items] = [placeAt(path.slice(0, -1)), valueAt(current, path.slice(0, -1))];
          if (list?.kind !== "list" || before !== undefined || items === undefined) return false;
          const known = items as JsonObject;
          const content = (item: Json | undefined) => plainOfKeyed(itemPlace(list), item);
          const isKnown = Object.hasOwn(known, path.at(-1) ?? "");
          return !isKnown && Object.values(known).some((item) => sameJson(content(item), content(after)));
        };
        expect(withoutStanding(added, current)).toEqual(added.filter((change) => !stands(change)));
      }),
    );
  });

  test("a text merged with itself is that text", () => {
    const text = fc.string({ maxLength: 40 });
    fc.assert(
      fc.property(text, text, (base, mine) => {
        const { merged, isPlain, conflict } = mergeText(base, mine, mine);
        expect(conflict).toBe(false);
        if (!isPlain || base === mine) expect(merged).toBe(mine);
      }),
    );
  });
});
