import type { Db } from "../shared/database/open.ts";

/** The token of a secret's digest together with whether its person is active. */
export const findTokenByDigest = (db: Db, digest: string) =>
  db
    .selectFrom("token")
    .innerJoin("user", "user.id", "token.user_id")
    .select(["token.id", "token.user_id", "token.scopes", "token.expires_at", "token.revoked_at", "user.active"])
    .where("token.digest", "=", digest)
    .executeTakeFirst();
