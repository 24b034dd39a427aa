import type { Db } from "../database/open.ts";
import type { AccessLinkRow } from "../database/schema.ts";

export const insertLink = (db: Db, row: AccessLinkRow) => db.insertInto("access_link").values(row).execute();

export const listLinks = (db: Db, parentId: string): Promise<AccessLinkRow[]> =>
  db
    .selectFrom("access_link")
    .selectAll()
    .where("parent_id", "=", parentId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const findLink = (db: Db, parentId: string, id: string): Promise<AccessLinkRow | undefined> =>
  db.selectFrom("access_link").selectAll().where("parent_id", "=", parentId).where("id", "=", id).executeTakeFirst();

export const countLinks = async (db: Db, parentId: string): Promise<number> => {
  const count = db.fn.countAll<number>().as("count");
  const row = await db.selectFrom("access_link").select(count).where("parent_id", "=", parentId).executeTakeFirst();
  return row?.count ?? 0;
};

export const updateLink = (db: Db, id: string, change: Partial<AccessLinkRow>) =>
  db.updateTable("access_link").set(change).where("id", "=", id).execute();

export const deleteLink = (db: Db, id: string) => db.deleteFrom("access_link").where("id", "=", id).execute();
