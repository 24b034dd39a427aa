import type { Db } from "../database/open.ts";
import type { IdempotencyRow } from "../database/schema.ts";

/** One run of a call, as its row identifies it. */
export interface Claim {
  userId: string;
  key: string;
  claim: string;
}

export const findCall = (db: Db, userId: string, key: string): Promise<IdempotencyRow | undefined> =>
  db.selectFrom("idempotency").selectAll().where("user_id", "=", userId).where("key", "=", key).executeTakeFirst();

export const upsertCall = (db: Db, row: IdempotencyRow) =>
  db
    .insertInto("idempotency")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "key"]).doUpdateSet({ ...row }))
    .execute();

/** Changes the row of a call while the run still holds it. @returns whether it does. */
export async function updateClaimed(
  db: Db,
  { userId, key, claim }: Claim,
  change: Partial<IdempotencyRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("idempotency")
    .set(change)
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .where("claim", "=", claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteClaimed = (db: Db, { userId, key, claim }: Claim) =>
  db
    .deleteFrom("idempotency")
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .where("claim", "=", claim)
    .execute();

/** How long an answer is kept (hosts-and-sync 6). */
const keptMicros = 30 * 86_400 * 1_000_000;

/** Deletes answers that nobody may ask for any more, at an instant of a steady clock: a repeated call would write twice. */
export const deleteOldCalls = (db: Db, now: number) =>
  db
    .deleteFrom("idempotency")
    .where("created", "<", now - keptMicros)
    .execute();
