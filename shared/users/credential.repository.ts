import type { Db } from "../database/open.ts";
import type { CredentialRow } from "../database/schema.ts";

export const findCredential = (db: Db, userId: string): Promise<CredentialRow | undefined> =>
  db.selectFrom("credential").selectAll().where("user_id", "=", userId).executeTakeFirst();

export const upsertCredential = (db: Db, row: CredentialRow) =>
  db
    .insertInto("credential")
    .values(row)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ hash: row.hash, updated: row.updated }))
    .execute();

export const deleteSessionsOf = (db: Db, userId: string) =>
  db.deleteFrom("session").where("user_id", "=", userId).execute();

/** Revokes every token of a user. */
export const revokeTokensOf = (db: Db, userId: string, now: number) =>
  db
    .updateTable("token")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();

/** Ends the open invitations by a user. @returns their ids. */
export async function endInvitationsBy(db: Db, userId: string, now: number): Promise<string[]> {
  const rows = await db
    .updateTable("account_link")
    .set({ ended_at: now })
    .where("kind", "=", "invitation")
    .where("invited_by", "=", userId)
    .where("ended_at", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id).sort();
}

/** Ends the open invitations of an address, which has an account now. */
export const endInvitationsTo = (db: Db, email: string, now: number) =>
  db
    .updateTable("account_link")
    .set({ ended_at: now })
    .where("kind", "=", "invitation")
    .where("email", "=", email.toLowerCase())
    .where("ended_at", "is", null)
    .execute();

/** Ends the links in mail with which a user could still set another password. */
export const endResetLinksOf = (db: Db, userId: string, now: number) =>
  db
    .updateTable("account_link")
    .set({ ended_at: now })
    .where("kind", "=", "reset")
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
