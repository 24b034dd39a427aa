import { expect, test } from "vitest";
import { editDraft } from "../../shared/drafts/draft.schema.ts";

test("checking a pushed edit does not walk through the values that it brings (security 6)", () => {
  let visits = 0;
  const value = {
    get inner() {
      visits += 1;
      return "deep";
    },
  };
  const change = { path: ["metadata", "title"], before: value, after: [value], item: value };
  const edit = { id: "abcde-fghij", epoch: 0, update: "AAA=", changes: [change] };
  expect(editDraft.input.safeParse(edit).success).toBe(true);
  expect(visits).toBe(0);
});
