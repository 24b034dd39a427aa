import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { TokenRow } from "../database/schema.ts";
import { groupsIn, type WithGroups } from "../users/joined-groups.ts";

export const insertToken = (db: Db, row: TokenRow) => db.insertInto("token").values(row).execute();

export const findToken = (db: Db, id: string): Promise<TokenRow | undefined> =>
  db.selectFrom("token").selectAll().where("id", "=", id).executeTakeFirst();

const listByDigest = prepared((db, digest: string) =>
  db
    .selectFrom("token")
    .innerJoin("user", "user.id", "token.user_id")
    .leftJoin("membership", "membership.user_id", "token.user_id")
    .selectAll("token")
    .select(["user.active", "membership.group_name"])
    .where("token.digest", "=", digest),
);

/** Finds a token by the digest of its secret, the groups of its user, and whether they are active. */
export async function findTokenByDigest(
  db: Db,
  digest: string,
): Promise<WithGroups<TokenRow & { active: number }> | undefined> {
  const rows = await listByDigest(db, digest);
  return rows[0] && { ...rows[0], groups: groupsIn(rows) };
}

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
