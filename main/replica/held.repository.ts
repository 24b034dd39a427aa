import type { Db } from "../../shared/database/open.ts";

/** Whether this replica holds what an id in a path names. */
export async function isHeld(db: Db, kind: string, id: string): Promise<boolean> {
  if (kind === "record") return isRecordHeld(db, id);
  if (kind === "request") return exists(db.selectFrom("request").select("id").where("id", "=", id));
  if (kind === "user") return exists(db.selectFrom("user").select("id").where("id", "=", id));
  return exists(db.selectFrom("group").select("name").where("name", "=", id));
}

const exists = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

const isRecordHeld = (db: Db, id: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("record")
      .select("id")
      .where("id", "=", id)
      .union(db.selectFrom("draft").select("id").where("id", "=", id))
      .union(db.selectFrom("parent").select("id").where("id", "=", id))
      .union(db.selectFrom("alias").select("old_id as id").where("old_id", "=", id)),
  );
