import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommentDraft } from "../../shared/comments/comment-draft.schema.ts";
import { mergeCommentDrafts } from "../../shared/comments/comment-draft-merge.ts";

const text = (...paragraphs: string[]): CommentDraft => ({
  content: paragraphs.map((words) => `<p>${words}</p>`).join(""),
  files: [],
});
const file = (id: string) => ({ id, key: id, name: id, size: 1 });
const files = (...ids: string[]): CommentDraft => ({ content: "", files: ids.map(file) });

describe("an unsent comment in two windows (fault 12)", () => {
  test.each([
    ["only one side wrote", text("a"), text("a", "b"), text("a"), text("a", "b")],
    ["both wrote the same", text(), text("a"), text("a"), text("a")],
    ["both began with nothing", text(), text("mine"), text("theirs"), text("theirs", "mine")],
    ["in different paragraphs", text("a", "b"), text("a one", "b"), text("a", "b two"), text("a one", "b two")],
    ["theirs was sent, mine is as it was", text("a"), text("a"), text(), text()],
    ["theirs was sent, mine went on", text("a"), text("a", "b"), text(), text("b")],
    [
      "the same word changed twice",
      text("x", "a cat"),
      text("x", "a cow"),
      text("x", "a dog"),
      text("x", "a dog", "a cow"),
    ],
  ])("%s", (_case, base, mine, theirs, merged) => {
    expect(mergeCommentDrafts(base, mine, theirs)).toEqual(merged);
  });

  test("files are kept that either side added, and dropped that either side removed", () => {
    expect(mergeCommentDrafts(files("a", "b"), files("b", "c"), files("a", "b", "d"))).toEqual(files("b", "d", "c"));
  });

  test("no word that either side wrote is lost", () => {
    const words = fc.array(fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    // Each side's words are its own, so that each can be looked for.
    const drafted = (side: string) =>
      words.map((list) => text(...list.map((one) => one.map((n) => side + n).join(" "))));
    fc.assert(
      fc.property(drafted("base"), drafted("mine"), drafted("theirs"), (base, mine, theirs) => {
        const { content } = mergeCommentDrafts(base, { ...mine }, theirs);
        for (const word of [...mine.content.matchAll(/mine\d/g), ...theirs.content.matchAll(/theirs\d/g)])
          expect(content).toContain(word[0]);
      }),
    );
  });
});
