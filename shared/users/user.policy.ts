import type { UserRow } from "../database/schema.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";

/** Groups whose members pass every permission check. */
export const superuserGroups: readonly string[] = ["admin", "superuser-access"];

export const grantsSuperuser = (group: string): boolean => superuserGroups.includes(group);

export const isSelf = (caller: Caller, userId: string): boolean => caller.userId !== null && caller.userId === userId;

/** Whether others, superusers included, can see a user: confirmed, active, with a public profile (requests 12). */
const isListed = (user: UserRow): boolean => user.visibility === "public" && user.active === 1 && user.confirmed === 1;

export const mayReadUser = (caller: Caller, user: UserRow): boolean => isSelf(caller, user.id) || isListed(user);

export const seesEmail = (caller: Caller, user: UserRow): boolean =>
  isSelf(caller, user.id) || user.email_visibility === "public";

/** May manage groups and users at all. */
const mayAdminister = (caller: Caller): boolean => isManager(caller) || isSuperuser(caller);

/** The user whose groups are changed. Nobody changes their own groups, and managers not those of superusers (12.1). */
export interface GroupTarget {
  userId: string;
  groups: readonly string[];
}

const isBeyond = (caller: Caller, target: GroupTarget): boolean =>
  !isSuperuser(caller) && target.groups.some(grantsSuperuser);

export const mayChangeGroups = (caller: Caller, target: GroupTarget): boolean =>
  mayAdminister(caller) && !isSelf(caller, target.userId) && !isBeyond(caller, target);

export const mayReadGroups = (caller: Caller, target: GroupTarget): boolean =>
  isSelf(caller, target.userId) || (mayAdminister(caller) && !isBeyond(caller, target));

/** Whether the caller may add users to a group or remove them. */
export const mayAssign = (caller: Caller, group: string): boolean => isSuperuser(caller) || !grantsSuperuser(group);
