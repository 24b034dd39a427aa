import { describe, expect, test } from "vitest";
import { type Ordered, sendable, waitingForRefused } from "../../main/sync/order.policy.ts";

const operation = (id: string, kind: string, state: Ordered["state"] = "pending", aggregate = "a"): Ordered => ({
  id,
  kind,
  state,
  aggregate_kind: "family",
  aggregate_id: aggregate,
});
const create = operation("create", "draft.create");
const edit = operation("edit", "draft.edit");
const upload = operation("upload", "file.commit");
const publish = operation("publish", "draft.publish");
const other = operation("other", "draft.edit", "pending", "b");

describe("one operation refused: only operations that need it wait; the rest goes on (hosts-and-sync 4)", () => {
  test.each<[string, Ordered[], string[]]>([
    ["what can go goes together, in its order", [create, edit, other], ["create", "edit", "other"]],
    ["a refused edit holds nothing up", [{ ...edit, state: "rejected" }, publish], ["publish"]],
    ["a refused beginning holds its object up, no other", [{ ...create, state: "rejected" }, edit, other], ["other"]],
  ])("%s", (_, operations, expected) => {
    expect(sendable(operations, () => true).map(({ id }) => id)).toEqual(expected);
  });

  test("an edit does not wait for the upload before it, publishing does", () => {
    const ready = sendable([upload, edit, publish], ({ kind }) => kind !== "file.commit");
    expect(ready.map(({ id }) => id)).toEqual(["edit"]);
  });

  test("what waits for a refused beginning is told apart: it has no next attempt", () => {
    const refused: Ordered = { ...create, state: "rejected" };
    expect([...waitingForRefused([refused, edit, upload, other])]).toEqual([
      [edit, refused],
      [upload, refused],
    ]);
  });
});
