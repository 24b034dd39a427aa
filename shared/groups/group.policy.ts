import type { GroupRow } from "../database/schema.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";
import { protectedNames } from "./group.schema.ts";

const mayAdminister = (caller: Caller): boolean => isManager(caller) || isSuperuser(caller);

export const isProtected = (name: string): boolean => protectedNames.includes(name);

/** Whether a name is protected or looks like a protected one. The API compares exactly (requests 11), the console does not. */
export const looksProtected = (name: string): boolean => isProtected(name.trim().toLowerCase().replaceAll("_", "-"));

export const mayCreateGroups = (caller: Caller): boolean => mayAdminister(caller);

/** Only administrators see managed groups; all signed-in users see the others (requests 11). */
export const mayReadGroup = (caller: Caller, group: GroupRow): boolean =>
  caller.userId !== null && (group.is_managed === 0 || mayAdminister(caller));

/** Nobody changes a protected group; only superusers change groups of an identity provider. */
export function mayChangeGroup(caller: Caller, group: GroupRow): boolean {
  if (isProtected(group.name)) return false;
  return group.is_managed === 1 ? mayAdminister(caller) : isSuperuser(caller);
}
