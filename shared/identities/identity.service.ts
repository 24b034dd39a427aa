import { createHash } from "node:crypto";
import type { AccountOrder } from "../accounts/account-order.ts";
import { type Db, type Tx, transaction } from "../database/open.ts";
import type { IdentityRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { requireSignedIn } from "../sign-in/unauthenticated.ts";
import type { UserService } from "../users/user.service.ts";
import { type IdentityKey, mayRemove } from "./identity.policy.ts";
import { deleteIdentity, findIdentity, insertIdentity, listIdentities, updateIdentity } from "./identity.repository.ts";
import type { IdentityEffects } from "./identity-effects.service.ts";

/** Maximum number of linked accounts of one user. */
const maxIdentities = 20;

/** An account at a provider, which the provider has just vouched for. */
export interface VerifiedIdentity extends IdentityKey {
  label: string;
}

/** A linked account, and whether its user may remove it. */
export interface LinkedIdentity {
  /** The public id. */
  id: string;
  row: IdentityRow;
  mayRemove: boolean;
}

export interface Identities {
  find(db: Db, key: IdentityKey): Promise<IdentityRow | undefined>;
  list(userId: string): Promise<LinkedIdentity[]>;
  /**
   * Links an account at a provider to a user, and tells the user by mail. Does nothing if it is linked to them already.
   * @param isNew the user is new, and knows. @throws Failure 409 if it is linked to another user; 400 over the limit.
   */
  add(tx: Tx, caller: Caller, userId: string, identity: VerifiedIdentity, isNew?: boolean): Promise<void>;
  /** Notes a sign-in. */
  noteUse(db: Db, identity: VerifiedIdentity): Promise<void>;
  /** Tells the user by mail. @throws Failure 404, also for one of another user; 400 for the last way to sign in. */
  remove(caller: Caller, id: string): Promise<void>;
}

export interface IdentityParts {
  host: Host;
  users: Pick<UserService, "credentialOf">;
  /** Orders a mail about an account. */
  order(tx: Db, mail: AccountOrder): Promise<void>;
  effects: Pick<IdentityEffects, "revokeClaims">;
}

const idOf = ({ issuer, subject }: IdentityKey): string =>
  createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex")
    .slice(0, 22);

/** Accounts at identity providers with which users sign in (web 9). */
export function identityService({ host, users, order, effects }: IdentityParts): Identities {
  const { providers } = host.settings.sign_in;

  async function listOf(db: Db, userId: string): Promise<LinkedIdentity[]> {
    const rows = await listIdentities(db, userId);
    const hasPassword = (await users.credentialOf(db, userId)) !== undefined;
    return rows.map((row) => ({ id: idOf(row), row, mayRemove: mayRemove(row, rows, { hasPassword, providers }) }));
  }

  return {
    find: findIdentity,
    list: (userId) => listOf(host.db, userId),
    async add(tx, caller, userId, { issuer, subject, label }, isNew = false) {
      const known = await findIdentity(tx, { issuer, subject });
      if (known?.user_id === userId) return;
      if (known) throw new Failure("conflict", `${label} is linked to another account here.`);
      if ((await listIdentities(tx, userId)).length >= maxIdentities) {
        throw new Failure("invalid", `An account has at most ${maxIdentities} linked accounts. Remove one first.`);
      }
      const now = host.now();
      await insertIdentity(tx, { issuer, subject, user_id: userId, label, groups: "[]", created: now, used: now });
      if (!isNew) await order(tx, { account: "way-added", userId, label });
      const object = { type: "user", id: userId };
      await host.audit(tx, { ...caller, userId }, { action: "user.add-identity", object, details: { issuer } });
    },
    async noteUse(db, identity) {
      await updateIdentity(db, identity, { label: identity.label, used: host.now() });
    },
    async remove(caller, id) {
      const userId = requireSignedIn(caller);
      const removed = await transaction(host.db, async (tx) => {
        const found = (await listOf(tx, userId)).find((one) => one.id === id);
        if (!found) throw notFound();
        if (!found.mayRemove) {
          throw new Failure("invalid", "This is your only way to sign in. Add another one, or set a password, first.");
        }
        const { issuer, label } = found.row;
        await deleteIdentity(tx, found.row);
        await order(tx, { account: "way-removed", userId, label });
        const object = { type: "user", id: userId };
        await host.audit(tx, caller, { action: "user.remove-identity", object, details: { issuer } });
        return found.row;
      });
      host.announceCommit();
      await effects.revokeClaims(removed);
    },
  };
}
