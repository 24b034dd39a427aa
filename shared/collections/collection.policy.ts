import { type Caller, isSuperuser } from "../kernel/caller.ts";
import type { Collection } from "./collection.ts";

/** Only administrators create and delete collections, and give them to a group. */
export const mayManageCollections = (caller: Caller): boolean => isSuperuser(caller);

/** Members of the group edit a collection, and administrators. Nobody changes those of the settings here. */
export function mayEditCollection(caller: Caller, { group, isFixed }: Collection): boolean {
  if (isFixed) return false;
  return mayManageCollections(caller) || (group !== null && caller.roles.has(group));
}
