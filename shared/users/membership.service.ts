import type { Db, Tx } from "../database/open.ts";
import type { GroupRow } from "../database/schema.ts";
import { isProtected } from "../groups/group.policy.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { parse } from "../kernel/parse.ts";
import { assertAdministratorLeft } from "./last-administrator.service.ts";
import { endLeftInvitations } from "./left-invitations.service.ts";
import { type GroupTarget, grantsSuperuser, mayAssign, mayChangeGroups, mayReadGroups } from "./user.policy.ts";
import { deleteMembership, findUser, insertMembership, listGroupsOf, listWithinReach } from "./user.repository.ts";
import { type ChangeGroups, changeGroups, groupsBody } from "./user.schema.ts";

/** A change of a user's groups: sorted ids (requests 12.1). */
export interface GroupChange {
  added: string[];
  groups: string[];
  removed: string[];
}

export interface MembershipService {
  /** @throws Failure 403 unless the caller is the user or an administrator, and for an unknown user. */
  list(db: Db, caller: Caller, userId: string): Promise<Record<string, unknown>>;
  /** @throws Failure 403 as above and for an unknown group, 400 for a body of the wrong shape. */
  change(caller: Caller, input: ChangeGroups): Promise<GroupChange>;
}

/** What memberships need to know about groups. */
export interface GroupDirectory {
  list(db: Db): Promise<GroupRow[]>;
  /** Families and users whose access depends on the group. */
  reach(db: Db, name: string): Promise<ObjectRef[]>;
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The user's groups after the change. */
function groupsAfter(how: ChangeGroups["how"], present: readonly string[], named: readonly string[]): string[] {
  if (how === "replace") return sorted(named);
  if (how === "add") return sorted([...present, ...named]);
  return present.filter((name) => !named.includes(name));
}

export function membershipService(host: Host, directory: GroupDirectory): MembershipService {
  async function targetOf(db: Db, userId: string): Promise<GroupTarget> {
    const user = await findUser(db, userId);
    // Also queried for an unknown user, so that response times do not tell who exists (requests 12).
    const groups = await listGroupsOf(db, userId);
    if (!user) throw forbidden();
    return { userId, groups };
  }

  async function namesFrom(tx: Tx, caller: Caller, body: unknown): Promise<string[]> {
    const { groups } = parse(groupsBody, body ?? {});
    const names = sorted(groups.map((name) => name.trim()).filter((name) => name !== ""));
    const known = new Set((await directory.list(tx)).map(({ name }) => name));
    if (names.some((name) => !known.has(name) || !mayAssign(caller, name))) throw forbidden();
    return names;
  }

  return {
    async list(db, caller, userId) {
      const target = await targetOf(db, userId);
      if (!mayReadGroups(caller, target)) throw forbidden();
      const groups = target.groups.map((name) => ({ id: name, name }));
      if (!mayChangeGroups(caller, target)) return { groups, total: groups.length };
      const available = (await directory.list(db))
        .filter(({ name }) => mayAssign(caller, name))
        .map(({ name, description, is_managed }) => ({ id: name, name, description, is_managed: is_managed === 1 }));
      return { groups, total: groups.length, available_groups: available };
    },
    change: (caller, input) =>
      host.write(caller, changeGroups, input, async (tx) => {
        const target = await targetOf(tx, input.userId);
        if (!mayChangeGroups(caller, target)) throw forbidden();
        const named = await namesFrom(tx, caller, input.body);
        const groups = groupsAfter(input.how, target.groups, named);
        const added = groups.filter((name) => !target.groups.includes(name));
        const removed = target.groups.filter((name) => !groups.includes(name));
        if (!groups.some(grantsSuperuser)) await assertAdministratorLeft(tx, input.userId);
        const touched: ObjectRef[] = [{ kind: "user", id: input.userId }];
        for (const name of [...added, ...removed]) touched.push(...(await directory.reach(tx, name)));
        if ([...added, ...removed].some(isProtected)) touched.push(...(await listWithinReach(tx, input.userId)));
        for (const name of added) await insertMembership(tx, input.userId, name);
        for (const name of removed) await deleteMembership(tx, input.userId, name);
        const hasLeft = removed.some(grantsSuperuser) && !groups.some(grantsSuperuser);
        if (hasLeft) await endLeftInvitations(host, tx, caller, input.userId);
        const isChanged = added.length + removed.length > 0;
        const object = { kind: "user", id: input.userId };
        return {
          result: { added, groups, removed },
          object,
          touched: isChanged ? touched : [],
          title: "Change groups",
        };
      }),
  };
}
