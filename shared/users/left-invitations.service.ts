import type { Tx } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { endInvitationsBy } from "./credential.repository.ts";

/** Ends the open invitations of somebody who may invite nobody any more, and says so in the audit log. */
export async function endLeftInvitations(host: Host, tx: Tx, caller: Caller, userId: string): Promise<void> {
  for (const id of await endInvitationsBy(tx, userId, host.now())) {
    const object = { type: "invitation", id };
    await host.audit(tx, caller, { action: "user.withdraw-invitation", object, details: { invited_by: userId } });
  }
}
