import type { Tx } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import type { Call } from "../kernel/call.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { noteReviewerAccount } from "../requests/reviewer-account.service.ts";
import { deleteSessionsOf, endResetLinksOf, revokeTokensOf } from "./credential.repository.ts";
import { assertAdministratorLeft } from "./last-administrator.service.ts";
import { endLeftInvitations } from "./left-invitations.service.ts";
import { findUser, updateUser } from "./user.repository.ts";
import { activateUser, deactivateUser } from "./user.schema.ts";

export interface AccountStates {
  /**
   * Ends the sessions, tokens, reset links and open invitations of a user, who can no longer sign in. @param call the console by default.
   * @throws Failure 404; 400 for the caller's own account and for the last administrator.
   */
  deactivate(id: string, call?: Call): Promise<void>;
  /** Lets the user sign in again. @param call the console by default. @throws Failure 404. */
  activate(id: string, call?: Call): Promise<void>;
}

/** Nobody locks themselves out, and somebody who may undo it stays. @throws Failure 400. */
async function assertMayEnd(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (caller.userId === id)
    throw new Failure("invalid", "Nobody deactivates their own account. Ask another administrator.");
  await assertAdministratorLeft(tx, id);
}

async function requireUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await findUser(tx, id);
  if (!user) throw notFound(`There is no user '${id}'.`);
  return user;
}

/** Ends and gives back the access of users. Their records stay either way. */
export function accountStates(host: Host): AccountStates {
  const deactivate = (input: { id: string }, call: Call): Promise<void> =>
    host.write(call, deactivateUser, input, async (tx, { now }) => {
      const user = await requireUser(tx, input.id);
      if (call.via !== "system") await assertMayEnd(tx, call, user.id);
      await updateUser(tx, user.id, { active: 0, updated: now, revision_id: user.revision_id + 1 });
      await deleteSessionsOf(tx, user.id);
      await revokeTokensOf(tx, user.id, now);
      await endResetLinksOf(tx, user.id, now);
      await endLeftInvitations(host, tx, call, user.id);
      const requests = await noteReviewerAccount(tx, user.id, { isActive: false, now });
      const object: ObjectRef = { kind: "user", id: user.id };
      return { result: undefined, object, touched: [object, ...requests], title: `Deactivate “${user.username}”` };
    });

  const activate = (input: { id: string }, call: Call): Promise<void> =>
    host.write(call, activateUser, input, async (tx, { now }) => {
      const user = await requireUser(tx, input.id);
      const isChanged = user.active === 0 || user.confirmed === 0;
      const change = { active: 1, confirmed: 1, updated: now, revision_id: user.revision_id + 1 };
      if (isChanged) await updateUser(tx, user.id, change);
      const requests = await noteReviewerAccount(tx, user.id, { isActive: true, now });
      const object: ObjectRef = { kind: "user", id: user.id };
      const touched = isChanged ? [object, ...requests] : [];
      return { result: undefined, object, touched, title: `Activate “${user.username}”` };
    });

  return {
    deactivate: (id, call = system) => deactivate({ id }, call),
    activate: (id, call = system) => activate({ id }, call),
  };
}
