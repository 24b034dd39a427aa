import { expect, test } from "vitest";
import type { Operation } from "../../renderer/api-client/sync-types.ts";
import { groupOperations } from "../../renderer/pages/sync/operation-groups.ts";

const operation = (id: string, kind: string, draft: string, more: Partial<Operation> = {}): Operation =>
  ({ id, kind, object: { kind: "draft", id: draft }, state: "pending", reason: null, ...more }) as Operation;

test("changes of one kind on one draft are one row; decisions and what has a reason stay alone (app M7)", () => {
  const groups = groupOperations([
    operation("1", "draft.edit", "a"),
    operation("2", "file.init", "a"),
    operation("3", "draft.edit", "a"),
    operation("4", "draft.edit", "b"),
    operation("5", "draft.edit", "a", { reason: "It waits." }),
    operation("6", "draft.publish", "a"),
    operation("7", "draft.publish", "a"),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id).join())).toEqual(["1,3", "2", "4", "5", "6", "7"]);
});
