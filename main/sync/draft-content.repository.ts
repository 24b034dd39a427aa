import type { Db } from "../../shared/database/open.ts";

export const findDraftContent = (db: Db, draftId: string) =>
  db.selectFrom("document").selectAll().where("draft_id", "=", draftId).executeTakeFirst();

/** The record published under the id of a draft, unless it was deleted. */
export const findPublished = (db: Db, draftId: string) =>
  db.selectFrom("record").selectAll().where("id", "=", draftId).where("tombstone", "is", null).executeTakeFirst();

/** Completed files of a draft or record, by name. */
export async function listCompletedFiles(db: Db, kind: "draft" | "record", id: string) {
  const rows = await db
    .selectFrom("file_entry")
    .select(["key", "sha256", "md5", "size", "metadata", "hidden"])
    .where("owner_kind", "=", kind)
    .where("owner_id", "=", id)
    .where("status", "=", "completed")
    .orderBy("key")
    .execute();
  return rows.map(({ key, sha256, md5, size, metadata, hidden }) => ({
    ...{ key, sha256: sha256 ?? "", md5: md5 ?? "", size: size ?? 0 },
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) }),
    ...(hidden === 1 ? { hidden: true } : {}),
  }));
}
