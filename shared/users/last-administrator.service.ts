import type { Tx } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import { grantsSuperuser, superuserGroups } from "./user.policy.ts";
import { countActiveIn, listGroupsOf } from "./user.repository.ts";

/**
 * Checks that somebody else stays an administrator when this user no longer is one. Two administrators who end each
 * other at the same moment come one after the other, because the check is part of the transaction.
 * @throws Failure 400 for the last administrator.
 */
export async function assertAdministratorLeft(tx: Tx, userId: string): Promise<void> {
  if (!(await listGroupsOf(tx, userId)).some(grantsSuperuser)) return;
  if ((await countActiveIn(tx, superuserGroups, userId)) > 0) return;
  throw new Failure("invalid", "This is the last administrator. Make somebody else an administrator first.");
}
