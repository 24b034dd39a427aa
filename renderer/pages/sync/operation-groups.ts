import type { Operation } from "../../api-client/sync-types.ts";

/** Unsent decisions can be withdrawn; other changes are undone where they were made. */
export const mayTakeBack = ({ kind, state }: Operation): boolean =>
  state === "pending" && /^(request|review)\.|^draft\.publish$/.test(kind);

/** A decision, or a change that has a problem, has a row of its own. */
const standsAlone = (operation: Operation): boolean => mayTakeBack(operation) || operation.reason !== null;

/** Puts changes of one kind on one object into one group, in the order of each group's first change. */
export function groupOperations(operations: readonly Operation[]): Operation[][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { id, kind, object, state } = operation;
    const key = JSON.stringify(standsAlone(operation) ? [id] : [kind, object.kind, object.id, state]);
    const group = groups.get(key) ?? [];
    group.push(operation);
    groups.set(key, group);
  }
  return [...groups.values()];
}
