import { expect, test } from "vitest";
import { arrivedContent } from "../../renderer/pages/draft/arrived-content.ts";
import { type DraftContent, mergeIncoming } from "../../renderer/pages/draft/draft-content.ts";

const contentWith = (metadata: object): DraftContent => ({
  metadata: metadata as DraftContent["metadata"],
  custom_fields: {},
  access: { record: "public", files: "public" } as DraftContent["access"],
  pids: {},
  files: { enabled: false, default_preview: null, order: [] } as unknown as DraftContent["files"],
});

/** The content after an answer was lost, the user typed on, and the draft was read again. */
function afterReading(saved: object, sent: object, mine: object, there: object) {
  const [before, incoming] = [contentWith(saved), contentWith(there)];
  const arrived = arrivedContent(before, [contentWith(sent)], incoming);
  return mergeIncoming(contentWith(mine), arrived, arrived, incoming).metadata;
}

test.each([
  ["the save arrived", { title: "Not a letter" }, { title: "Not a letter of this" }],
  ["the save did not arrive", { title: "Not" }, { title: "Not a letter of this" }],
  ["the save arrived, trimmed, and the user typed on", { title: "Not a letter" }, { title: "Not a letter of this" }],
  ["somebody changed what arrived", { title: "Say: Not a letter" }, { title: "Say: Not a letter of this" }],
])("%s: no letter is lost or doubled (web 5, What is typed)", (_case, there, expected) => {
  expect(afterReading({ title: "Not" }, { title: "Not a letter " }, { title: "Not a letter of this" }, there)).toEqual(
    expected,
  );
});

test("a value that was sent without an answer is the user's own, and one of somebody else stays (web 5)", () => {
  const sent = { title: "Salt", version: "2", publisher: "Sea" };
  const there = { title: "Salt", version: "2", publisher: "Lake" };
  const mine = { title: "Salt", version: "3", publisher: "Sea" };
  expect(afterReading({ title: "Salt", version: "1" }, sent, mine, there)).toMatchObject({ version: "3" });
  expect(afterReading({ title: "Salt" }, { title: "Salt" }, { title: "Salt" }, there)).toEqual(there);
});
