import { EditorState, TextSelection } from "@tiptap/pm/state";
import { getSchema } from "@tiptap/react";
import { StarterKit } from "@tiptap/starter-kit";
import { describe, expect, test } from "vitest";
import { keptMarkup } from "../../renderer/components/kept-markup.ts";
import { replacementOf } from "../../renderer/components/replace-text.ts";
import { Random } from "../support/random.ts";

const schema = getSchema([
  StarterKit.configure({ heading: false, horizontalRule: false, strike: false }),
  ...keptMarkup,
]);

const documentOf = (content: object[]) => schema.nodeFromJSON({ type: "doc", content });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const text = (words: string) => ({ type: "text", text: words });

function randomDocument(random: Random) {
  const words = () => ({
    ...text(random.of(["a", "b", " "]).repeat(1 + random.below(3))),
    marks: random.chance(0.25) ? [{ type: "bold" }] : [],
  });
  const line = () => paragraph(...random.list(0, 2, words));
  const table = () => ({
    type: "table",
    content: [
      {
        type: "tableBody",
        content: random.list(1, 2, () => ({
          type: "tableRow",
          content: random.list(1, 2, () => ({ type: "tableCell", content: [line()] })),
        })),
      },
    ],
  });
  const block = (depth: number): object => {
    const kind = depth > 2 ? "line" : random.of(["line", "line", "quote", "list", "heading", "table"]);
    if (kind === "quote") return { type: "blockquote", content: random.list(1, 2, () => block(depth + 1)) };
    if (kind === "heading") return { type: "heading", attrs: { level: 2 }, content: random.list(0, 2, words) };
    if (kind === "table") return table();
    if (kind === "line") return line();
    const items = random.list(1, 3, () => ({ type: "listItem", content: [line()] }));
    return { type: "bulletList", content: items };
  };
  return documentOf(random.list(1, 4, () => block(0)));
}

describe("a text that replaces the one in an editor (fault 12)", () => {
  test("is shown whole, whatever both contain", () => {
    const random = new Random(1);
    for (let round = 0; round < 2000; round++) {
      const [shown, next] = [randomDocument(random), randomDocument(random)];
      const step = replacementOf(shown, next);
      const after = step ? step.apply(shown).doc : shown;
      expect(after?.eq(next), `${shown} -> ${next}`).toBe(true);
    }
  });

  test.each([
    ["a paragraph comes before", ["mine"], ["theirs", "mine"], "mine"],
    ["a paragraph follows", ["mine"], ["mine", "theirs"], "mine"],
    ["a paragraph before is gone", ["theirs", "mine"], ["mine"], "mine"],
    ["words come before in the same paragraph", ["mine"], ["theirs and mine"], "theirs and mine"],
  ])("leaves the cursor at its words: %s", (_case, before, after, around) => {
    const [shown, next] = [before, after].map((lines) => documentOf(lines.map((words) => paragraph(text(words)))));
    if (!shown || !next) throw new Error("two documents");
    const state = EditorState.create({ doc: shown, selection: TextSelection.create(shown, shown.content.size - 1) });
    const step = replacementOf(shown, next);
    if (!step) throw new Error("the documents differ");
    const { $from } = state.apply(state.tr.step(step)).selection;
    expect([$from.parent.textContent, $from.parentOffset]).toEqual([around, around.length]);
  });
});
