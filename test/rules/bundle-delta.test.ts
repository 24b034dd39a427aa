import { expect, test } from "vitest";
import { SentBundles } from "../../server/sync/sent-bundles.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { deltaOf, textOf, withDelta } from "../../shared/sync-protocol/bundle-delta.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

const state = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * at * 7 + (at >> 3)) & 255));

/** A draft with a title and some bytes put into the midst of its state. */
const draft = (title: string, inserted: number[] = []): Bundle => {
  const bytes = Buffer.concat([state.subarray(0, 4000), Buffer.from(inserted), state.subarray(4000)]);
  const document = [{ draft_id: "d", state: { $bytes: bytes.toString("base64") } }];
  return { kind: "family", id: "f", rows: { draft: [{ id: "d", metadata: title }], document }, people: [] };
};

const [first, second] = [draft("Ä title"), draft("Ä title, again", [1, 2, 3, 4])];

test("What is new of an object is small, however large the object is (hosts-and-sync 6, Feed)", () => {
  const delta = deltaOf(textOf(first), textOf(second));
  expect(withDelta(textOf(first), delta)).toEqual(second);
  expect(JSON.stringify(delta).length).toBeLessThan(textOf(first).length / 50);
});

test("A difference is put to nothing but what it was made from, and not believed when damaged (hosts-and-sync 6, Feed)", () => {
  const delta = deltaOf(textOf(first), textOf(second));
  const turned = `${delta.deflated.startsWith("A") ? "B" : "A"}${delta.deflated.slice(1)}`;
  expect(withDelta(textOf(second), delta)).toBeUndefined();
  expect(withDelta("", delta)).toBeUndefined();
  expect(withDelta(textOf(first), { ...delta, deflated: turned })).toBeUndefined();
  expect(withDelta(textOf(first), { ...delta, sum: "" })).toBeUndefined();
});

const page = (seq: number, bundle: Bundle, more = false): FeedPage => ({
  changes: [{ kind: "family", id: "f", seq, state: "live", bundle }],
  applied: [],
  usage: [],
  cursor: `.${seq}`,
  seq,
  more,
});

test("The third time an object is sent it travels as its difference, to those who had it (hosts-and-sync 6, Feed)", () => {
  const lastSent = new SentBundles();
  const sent = (...[after, seq, ...what]: [number | undefined, number, Bundle, boolean?]) => {
    const [change] = lastSent.withDeltas("1", after, page(seq, ...what)).changes;
    return change?.bundle ? "whole" : "difference";
  };
  expect(sent(0, 1, first)).toBe("whole");
  expect(sent(1, 2, second)).toBe("whole");
  expect(sent(2, 3, first)).toBe("difference");
  // Another replica of the user, which was offline; a new one; one that requests the whole page; a large copy.
  expect(sent(1, 3, first)).toBe("whole");
  expect(sent(2, 3, first)).toBe("difference");
  expect(sent(undefined, 3, first)).toBe("whole");
  expect(sent(3, 4, second, true)).toBe("whole");
  // Somebody else.
  expect(lastSent.withDeltas("2", 3, page(4, second)).changes[0]?.bundle).toEqual(second);
});
