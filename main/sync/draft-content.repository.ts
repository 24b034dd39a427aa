import type { Db } from "../../shared/database/open.ts";

export const findDraftContent = (db: Db, draftId: string) =>
  db.selectFrom("document").selectAll().where("draft_id", "=", draftId).executeTakeFirst();

/** Files of a draft whose bytes are known, by name. */
export async function listCompletedFiles(db: Db, draftId: string) {
  const rows = await db
    .selectFrom("file_entry")
    .select(["key", "sha256", "md5", "size"])
    .where("owner_kind", "=", "draft")
    .where("owner_id", "=", draftId)
    .where("status", "=", "completed")
    .orderBy("key")
    .execute();
  return rows.map(({ key, sha256, md5, size }) => ({ key, sha256: sha256 ?? "", md5: md5 ?? "", size: size ?? 0 }));
}
