import type { Db } from "../database/open.ts";
import type { SecondFactorRow } from "../database/schema.ts";

export const findFactor = (db: Db, userId: string): Promise<SecondFactorRow | undefined> =>
  db.selectFrom("second_factor").selectAll().where("user_id", "=", userId).executeTakeFirst();

export async function putFactor(db: Db, row: SecondFactorRow): Promise<void> {
  await db.deleteFrom("second_factor").where("user_id", "=", row.user_id).execute();
  await db.insertInto("second_factor").values(row).execute();
}

/** Confirms the secret that a code was checked with. @returns whether it still waits for its confirmation. */
export async function confirmFactor(db: Db, userId: string, secret: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factor")
    .set({ confirmed: now })
    .where("user_id", "=", userId)
    .where("secret", "=", secret)
    .where("confirmed", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes the step of a code. @returns whether it is later than the last one: a code works once. */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factor")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("recovery_code")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
};

export async function replaceRecoveryCodes(db: Db, userId: string, digests: readonly string[]): Promise<void> {
  await db.deleteFrom("recovery_code").where("user_id", "=", userId).execute();
  if (digests.length === 0) return;
  await db
    .insertInto("recovery_code")
    .values(digests.map((digest) => ({ user_id: userId, digest })))
    .execute();
}

/** Uses up a recovery code. @returns whether there was one. */
export async function takeRecoveryCode(db: Db, userId: string, digest: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_code")
    .where("user_id", "=", userId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteFactor(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("second_factor").where("user_id", "=", userId).execute();
  await db.deleteFrom("recovery_code").where("user_id", "=", userId).execute();
}
