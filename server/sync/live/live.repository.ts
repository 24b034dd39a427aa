import { sql } from "kysely";
import { isPostgres } from "../../../shared/database/dialect.ts";
import type { Db } from "../../../shared/database/open.ts";
import { sessionEnds } from "../../../shared/sign-in/session.repository.ts";

/** A draft's document and the columns that decide who may open it. */
export const findLiveDocument = (db: Db, draftId: string) =>
  db
    .selectFrom("document")
    .innerJoin("draft", "draft.id", "document.draft_id")
    .select(["document.draft_id", "draft.id", "draft.parent_id", "document.epoch", "document.state"])
    .where("document.draft_id", "=", draftId)
    .executeTakeFirst();

/** The new id of a draft that was rekeyed (hosts-and-sync 3). */
export async function findNewId(db: Db, oldId: string): Promise<string | undefined> {
  const alias = await db.selectFrom("alias").select("new_id").where("old_id", "=", oldId).executeTakeFirst();
  return alias?.new_id;
}

/** A token, and whether its user is active. */
export const findTokenById = (db: Db, id: string) =>
  db
    .selectFrom("token")
    .innerJoin("user", "user.id", "token.user_id")
    .select(["token.scopes", "token.expires_at", "token.revoked_at", "user.active"])
    .where("token.id", "=", id)
    .executeTakeFirst();

export const findPerson = (db: Db, id: string) =>
  db.selectFrom("user").select(["id", "username", "full_name", "active"]).where("id", "=", id).executeTakeFirst();

/** The tokens among these that are still valid. */
export async function listValidTokens(db: Db, ids: string[], now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("token")
    .innerJoin("user", "user.id", "token.user_id")
    .select("token.id")
    .where("token.id", "in", ids)
    .where("token.revoked_at", "is", null)
    .where("user.active", "=", 1)
    .where((where) => where.or([where("token.expires_at", "is", null), where("token.expires_at", ">", now)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** The browser sessions among these that are still valid. */
export async function listValidSessions(db: Db, digests: string[], now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .select("session.digest")
    .where("session.digest", "in", digests)
    .where("session.expires_at", ">", sessionEnds(now).after)
    .where("session.expires_at", "<", sessionEnds(now).before)
    .where("user.active", "=", 1)
    .execute();
  return rows.map(({ digest }) => digest);
}

/** A counter that changes when another process writes to the file. In PostgreSQL the commit watch tells of others. */
export async function readForeignWrites(db: Db): Promise<number> {
  if (isPostgres(db)) return 0;
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version ?? 0;
}
