import type { Db } from "../database/open.ts";

/** Grants to any of the subjects, each a type with its ids. */
export function listGrantsTo(
  db: Db,
  subjects: readonly (readonly [type: string, ids: readonly string[]])[],
): Promise<{ parent_id: string; permission: string }[]> {
  return db
    .selectFrom("access_grant")
    .select(["parent_id", "permission"])
    .where((row) =>
      row.or(
        subjects.map(([type, ids]) => row.and([row("subject_type", "=", type), row("subject_id", "in", [...ids])])),
      ),
    )
    .execute();
}

export const listLinksWith = (db: Db, tokens: readonly string[]) =>
  db
    .selectFrom("access_link")
    .select(["parent_id", "permission", "expires_at"])
    .where("token", "in", [...tokens])
    .execute();

/** Ids of drafts whose submitted review is addressed to the person. */
export async function listReviewedDrafts(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("request")
    .innerJoin("draft", "draft.request_id", "request.id")
    .select("draft.id")
    .where("request.receiver_id", "=", userId)
    .where("request.status", "=", "submitted")
    .execute();
  return rows.map((row) => row.id);
}
