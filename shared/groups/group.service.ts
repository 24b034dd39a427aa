import { firstRevision, keepLastRevision } from "../database/last-revision.ts";
import type { Db, Tx } from "../database/open.ts";
import type { GroupRow } from "../database/schema.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField } from "../kernel/failure.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { parse } from "../kernel/parse.ts";
import { isProtected, looksProtected, mayChangeGroup, mayCreateGroups, mayReadGroup } from "./group.policy.ts";
import {
  deleteGrantsTo,
  deleteGroupRow,
  deleteMemberships,
  findGroup,
  insertGroup,
  leaveCollections,
  leaveInvitations,
  listGroups,
  listMembers,
  listReachedFamilies,
  removeFromReviews,
  updateGroupRow,
} from "./group.repository.ts";
import {
  createGroup,
  deleteGroup,
  groupChange,
  newGroup,
  type ProvideGroup,
  provideGroup,
  updateGroup,
} from "./group.schema.ts";

export interface GroupService {
  find(db: Db, name: string): Promise<GroupRow | undefined>;
  list(db: Db): Promise<GroupRow[]>;
  /** Families that the members reach through the group. */
  reach(db: Db, name: string): Promise<ObjectRef[]>;
  /** @throws Failure 403, the same for unknown and hidden groups (requests 11). */
  requireReadable(db: Db, caller: Caller, name: string): Promise<GroupRow>;
  /** @returns the name. @throws Failure 403, then 400 with `name` or `description`. */
  create(caller: Caller, input: { body?: unknown }): Promise<string>;
  /** Changes the description; an absent one stays, null clears it. @throws Failure 403, 400, 412. */
  update(caller: Caller, input: { name: string; body?: unknown }, ifMatch?: number): Promise<string>;
  /** Deletes a group with its memberships and grants. @throws Failure 403, 400, 412. */
  remove(caller: Caller, input: { name: string }, ifMatch?: number): Promise<void>;
  /** @throws Failure 400 for a name in use. */
  provide(input: ProvideGroup): Promise<string>;
}

async function insertNew(tx: Tx, { name, description, is_managed }: ProvideGroup, now: number): Promise<void> {
  const first = { created: now, updated: now, revision_id: await firstRevision(tx, "group", name) };
  await insertGroup(tx, { name, description, is_managed: is_managed ? 1 : 0, ...first });
}

const groupRef = (name: string): ObjectRef => ({ kind: "group", id: name });

function writeResult(name: string, title: string): WriteResult<string> {
  return { result: name, object: groupRef(name), touched: [groupRef(name)], title };
}

const nameIn = (body: unknown): unknown =>
  body !== null && typeof body === "object" && "name" in body ? body.name : undefined;

async function requireChangeable(tx: Tx, caller: Caller, name: string): Promise<GroupRow> {
  const group = await findGroup(tx, name);
  if (!group || !mayChangeGroup(caller, group)) throw forbidden();
  return group;
}

/** Groups, which are named roles (requests 11). */
export function groupService(host: Host): GroupService {
  const reach = async (db: Db, name: string): Promise<ObjectRef[]> =>
    (await listReachedFamilies(db, name)).map((id) => ({ kind: "family", id }));

  const create = (caller: Caller, input: { body?: unknown }): Promise<string> =>
    host.write(caller, createGroup, input, async (tx, { now }) => {
      const name = nameIn(input.body);
      if (!mayCreateGroups(caller) || (typeof name === "string" && isProtected(name))) throw forbidden();
      const group = parse(newGroup, input.body ?? {});
      if (await findGroup(tx, group.name)) throw invalidField("name", "Role name already used by another group.");
      await insertNew(tx, { name: group.name, description: group.description ?? null, is_managed: true }, now);
      return writeResult(group.name, `Create “${group.name}”`);
    });

  const update = (caller: Caller, input: { name: string; body?: unknown }, ifMatch?: number): Promise<string> =>
    host.write(caller, updateGroup, input, async (tx, { now }) => {
      const group = await requireChangeable(tx, caller, input.name);
      assertRevision(ifMatch, group.revision_id);
      const { description } = parse(groupChange, input.body ?? {});
      const change = description === undefined ? {} : { description };
      await updateGroupRow(tx, group.name, { ...change, updated: now, revision_id: group.revision_id + 1 });
      return writeResult(group.name, `Edit “${group.name}”`);
    });

  const remove = (caller: Caller, input: { name: string }, ifMatch?: number): Promise<void> =>
    host.write(caller, deleteGroup, input, async (tx, { now }) => {
      const group = await requireChangeable(tx, caller, input.name);
      assertRevision(ifMatch, group.revision_id);
      const members = await listMembers(tx, group.name);
      const families = await reach(tx, group.name);
      await deleteMemberships(tx, group.name);
      await deleteGrantsTo(tx, group.name);
      await leaveCollections(tx, group.name, now);
      await leaveInvitations(tx, group.name);
      const reviews = (await removeFromReviews(tx, group.name)).map((id): ObjectRef => ({ kind: "request", id }));
      await deleteGroupRow(tx, group.name);
      await keepLastRevision(tx, "group", group.name, group.revision_id);
      const people = members.map((id): ObjectRef => ({ kind: "user", id }));
      const touched: ObjectRef[] = [groupRef(group.name), ...people, ...families, ...reviews];
      return { result: undefined, object: groupRef(group.name), touched, title: `Delete “${group.name}”` };
    });

  const provide = (input: ProvideGroup): Promise<string> =>
    host.write(system, provideGroup, input, async (tx, { now }) => {
      if (await findGroup(tx, input.name)) throw new Failure("invalid", `The group '${input.name}' exists already.`);
      if (looksProtected(input.name)) throw new Failure("invalid", `The name '${input.name}' is reserved.`);
      await insertNew(tx, input, now);
      return writeResult(input.name, `Create “${input.name}”`);
    });

  return {
    find: findGroup,
    list: listGroups,
    reach,
    async requireReadable(db, caller, name) {
      const group = await findGroup(db, name);
      if (!group || !mayReadGroup(caller, group)) throw forbidden();
      return group;
    },
    create,
    update,
    remove,
    provide,
  };
}
