import type { Db } from "../../../shared/database/open.ts";
import type { Caller, Scope } from "../../../shared/kernel/caller.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { rolesWithFactor } from "../../../shared/second-factor/second-factor.service.ts";
import { listRoles } from "../audience.repository.ts";
import { findPerson, findTokenById, listValidSessions } from "./live.repository.ts";
import type { Identity } from "./presence.ts";

/** Refreshes a caller: the groups that count now, and a token or session that is still valid. Undefined: sign in again. */
export async function callerNow(host: Host, caller: Caller): Promise<Caller | undefined> {
  const { db, settings } = host;
  const now = host.now();
  if (caller.userId === null) return undefined;
  const person = await findPerson(db, caller.userId);
  if (!person?.active) return undefined;
  const roles = new Set(await rolesWithFactor(db, settings, caller.userId, await listRoles(db, caller.userId)));
  if (caller.sessionId !== undefined && (await listValidSessions(db, [caller.sessionId], now)).length === 0) {
    return undefined;
  }
  if (caller.tokenId === undefined) return { ...caller, roles };
  const token = await findTokenById(db, caller.tokenId);
  if (!token || token.revoked_at !== null || (token.expires_at !== null && token.expires_at <= now)) return undefined;
  return { ...caller, roles, scopes: new Set(token.scopes.split(" ") as Scope[]) };
}

/** The identity that others see at a document. */
export async function identityOf(db: Db, caller: Caller): Promise<Identity | undefined> {
  const person = caller.userId === null ? undefined : await findPerson(db, caller.userId);
  return person && { id: person.id, name: person.full_name || person.username };
}
