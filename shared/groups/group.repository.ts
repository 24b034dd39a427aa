import type { Db } from "../database/open.ts";
import type { GroupRow } from "../database/schema.ts";

export const findGroup = (db: Db, name: string): Promise<GroupRow | undefined> =>
  db.selectFrom("group").selectAll().where("name", "=", name).executeTakeFirst();

export const listGroups = (db: Db): Promise<GroupRow[]> => db.selectFrom("group").selectAll().orderBy("name").execute();

export const insertGroup = (db: Db, row: GroupRow) => db.insertInto("group").values(row).execute();

export const updateGroupRow = (db: Db, name: string, change: Partial<GroupRow>) =>
  db.updateTable("group").set(change).where("name", "=", name).execute();

export const deleteGroupRow = (db: Db, name: string) => db.deleteFrom("group").where("name", "=", name).execute();

export async function listMembers(db: Db, name: string): Promise<string[]> {
  const rows = await db.selectFrom("membership").select("user_id").where("group_name", "=", name).execute();
  return rows.map((row) => row.user_id);
}

export const deleteMemberships = (db: Db, name: string) =>
  db.deleteFrom("membership").where("group_name", "=", name).execute();

/** Deletes all grants to a group, so that a new group of the same name does not get them. */
export const deleteGrantsTo = (db: Db, name: string) =>
  db.deleteFrom("access_grant").where("subject_type", "=", "role").where("subject_id", "=", name).execute();

/** Families that grants open to the members. */
export async function listGrantedFamilies(db: Db, name: string): Promise<string[]> {
  const rows = await db
    .selectFrom("access_grant")
    .select("parent_id")
    .distinct()
    .where("subject_type", "=", "role")
    .where("subject_id", "=", name)
    .execute();
  return rows.map((row) => row.parent_id);
}
