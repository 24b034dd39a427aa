import type { GroupRow } from "../database/schema.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";
import { protectedNames } from "./group.schema.ts";

const mayAdminister = (caller: Caller): boolean => isManager(caller) || isSuperuser(caller);

export const isProtected = (name: string): boolean => protectedNames.includes(name);

/** Whether a name is a protected one, or is read as one: rights go by the exact name, people by how it looks. */
export const looksProtected = (name: string): boolean => isProtected(name.trim().toLowerCase().replaceAll("_", "-"));

export const mayCreateGroups = (caller: Caller): boolean => mayAdminister(caller);

/** Managed groups are for who administers; the others for everybody signed in (requests 11). */
export const mayReadGroup = (caller: Caller, group: GroupRow): boolean =>
  caller.userId !== null && (group.is_managed === 0 || mayAdminister(caller));

/** Not even a superuser touches a protected group; groups from elsewhere only a superuser. */
export function mayChangeGroup(caller: Caller, group: GroupRow): boolean {
  if (isProtected(group.name)) return false;
  return group.is_managed === 1 ? mayAdminister(caller) : isSuperuser(caller);
}
