import type { Db, Tx } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { Failure, forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { normalForm } from "../kernel/normal-form.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { type AccountStates, accountStates } from "./account-state.service.ts";
import { endInvitationsTo, endResetLinksOf, findCredential, upsertCredential } from "./credential.repository.ts";
import { mayChangeGroups, mayReadUser } from "./user.policy.ts";
import { presentUser } from "./user.presenter.ts";
import {
  findUser,
  findUserByAccount,
  insertMembership,
  insertUser,
  listGroupsOf,
  listMemberships,
  listMembersOf,
  listUsers,
  listWithinReach,
  takeUserId,
} from "./user.repository.ts";
import { createUser, type NewUser } from "./user.schema.ts";

/** The name of an account when signing in. */
export interface Account {
  by: "email" | "username";
  name: string;
}

/** What belongs to the creation of a user, in its transaction. */
export interface CreationSteps {
  first?(tx: Tx): Promise<void>;
  last?(tx: Tx, id: string): Promise<void>;
}

export interface UserService extends AccountStates {
  find(db: Db, id: string): Promise<UserRow | undefined>;
  /** All users, in order of creation. */
  list(db: Db): Promise<UserRow[]>;
  findAccount(db: Db, account: Account): Promise<UserRow | undefined>;
  /** @throws Failure 403, the same for unknown and hidden users (requests 12). */
  requireReadable(db: Db, caller: Caller, id: string): Promise<UserRow>;
  /** Users as the caller may see them. */
  present(db: Db, caller: Caller, users: readonly UserRow[]): Promise<Record<string, unknown>[]>;
  groupsOf(db: Db, id: string): Promise<string[]>;
  /** Ids of the members of a group, as far as this host knows them. */
  membersOf(db: Db, group: string): Promise<string[]>;
  /** The objects that a user may hold, or not, by their administrative groups. */
  withinReach(db: Db, id: string): Promise<ObjectRef[]>;
  /** The hash of the password; undefined without one. */
  credentialOf(db: Db, id: string): Promise<string | undefined>;
  /** Stores a new hash, which is never sent to replicas, and ends links in mail that would set another password. */
  setCredential(tx: Tx, id: string, hash: string, now: number): Promise<void>;
  /** @returns the new id. @throws Failure 400 for a name or address in use, or an unknown group. */
  create(input: NewUser, within?: CreationSteps): Promise<string>;
}

async function assertFree(tx: Tx, input: NewUser): Promise<void> {
  for (const by of ["username", "email"] as const) {
    if (await findUserByAccount(tx, by, input[by])) {
      throw new Failure("invalid", `The ${by} '${input[by]}' is in use already.`);
    }
  }
}

function rowFrom(input: NewUser, id: string, now: number): UserRow {
  const { username, email, full_name, affiliations, visibility, email_visibility, language } = input;
  return {
    ...{ id, username, email, full_name, affiliations, visibility, email_visibility },
    active: input.active ? 1 : 0,
    confirmed: input.confirmed ? 1 : 0,
    preferences: JSON.stringify({ notifications: { enabled: true }, ...(language === undefined ? {} : { language }) }),
    created: now,
    updated: now,
    revision_id: 1,
  };
}

/** Users (requests 12). @param groupExists refuses unknown roles. */
export function userService(host: Host, groupExists: (db: Db, name: string) => Promise<boolean>): UserService {
  async function assertGroups(tx: Tx, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!(await groupExists(tx, name))) throw new Failure("invalid", `There is no group '${name}'.`);
    }
  }

  const create: UserService["create"] = (input, within) =>
    host.write(system, createUser, input, async (tx, { now }) => {
      await within?.first?.(tx);
      await assertFree(tx, input);
      const roles = [...new Set(input.roles)];
      await assertGroups(tx, roles);
      const id = await takeUserId(tx);
      await insertUser(tx, rowFrom(input, id, now));
      for (const role of roles) await insertMembership(tx, id, role);
      if (input.password_hash !== null) {
        await upsertCredential(tx, { user_id: id, hash: input.password_hash, updated: now });
      }
      await endInvitationsTo(tx, input.email, now);
      await within?.last?.(tx, id);
      return {
        result: id,
        object: { kind: "user", id },
        touched: [{ kind: "user", id }],
        title: `Create the user “${input.username}”`,
      };
    });

  return {
    find: findUser,
    list: listUsers,
    async findAccount(db, { by, name }) {
      const found = await findUserByAccount(db, by, name);
      const normal = normalForm(name, "NFKC");
      // Older accounts have their names as they were typed.
      return found || by === "email" || normal === name ? found : findUserByAccount(db, by, normal);
    },
    async requireReadable(db, caller, id) {
      const user = await findUser(db, id);
      if (!user || !mayReadUser(caller, user)) throw forbidden();
      return user;
    },
    async present(db, caller, users) {
      const memberships =
        users.length === 0
          ? []
          : await listMemberships(
              db,
              users.map(({ id }) => id),
            );
      return users.map((user) => {
        const groups = memberships.filter((row) => row.user_id === user.id).map((row) => row.group_name);
        const managesGroups = mayChangeGroups(caller, { userId: user.id, groups });
        return presentUser(user, { baseUrl: host.baseUrl, caller, managesGroups });
      });
    },
    groupsOf: listGroupsOf,
    membersOf: listMembersOf,
    withinReach: listWithinReach,
    credentialOf: async (db, id) => (await findCredential(db, id))?.hash,
    async setCredential(tx, id, hash, now) {
      await upsertCredential(tx, { user_id: id, hash, updated: now });
      await endResetLinksOf(tx, id, now);
    },
    create,
    ...accountStates(host),
  };
}
