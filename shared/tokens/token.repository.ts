import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { TokenRow } from "../database/schema.ts";

export const insertToken = (db: Db, row: TokenRow) => db.insertInto("token").values(row).execute();

export const findToken = (db: Db, id: string): Promise<TokenRow | undefined> =>
  db.selectFrom("token").selectAll().where("id", "=", id).executeTakeFirst();

/** Finds a token by the digest of its secret, and whether its user is active. */
export const findTokenByDigest = preparedFirst((db, digest: string) =>
  db
    .selectFrom("token")
    .innerJoin("user", "user.id", "token.user_id")
    .selectAll("token")
    .select("user.active")
    .where("token.digest", "=", digest),
);

export const listLiveTokens = (db: Db, userId: string, now: number): Promise<TokenRow[]> =>
  db
    .selectFrom("token")
    .selectAll()
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .execute();

export const updateToken = (db: Db, id: string, change: Partial<TokenRow>) =>
  db.updateTable("token").set(change).where("id", "=", id).execute();

/** Revokes the tokens of a user that were issued for a password, except `keptId`. */
export const revokeTokensByPassword = (db: Db, userId: string, keptId: string | undefined, now: number) =>
  db
    .updateTable("token")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("by_password", "=", 1)
    .where("revoked_at", "is", null)
    .where("id", "!=", keptId ?? "")
    .execute();
