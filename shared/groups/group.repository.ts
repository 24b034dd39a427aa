import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { reviewedByGroup } from "../database/reviewed-by.ts";
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

/** Takes the group's collections from it, so that a new group of the same name cannot edit them. */
export const leaveCollections = (db: Db, name: string, now: number) =>
  db
    .updateTable("collection")
    .set((one) => ({ group_name: null, updated: now, revision_id: one("revision_id", "+", 1) }))
    .where("group_name", "=", name)
    .execute();

/** Takes the group from open invitations: they stay valid, and give a new group of the same name to nobody. */
export async function leaveInvitations(db: Db, name: string): Promise<void> {
  const open = db.selectFrom("account_link").where("kind", "=", "invitation").where("ended_at", "is", null);
  for (const { id, roles } of await open.select(["id", "roles"]).execute()) {
    const groups: string[] = JSON.parse(roles);
    if (!groups.includes(name)) continue;
    const left = JSON.stringify(groups.filter((group) => group !== name));
    await db.updateTable("account_link").set({ roles: left }).where("id", "=", id).execute();
  }
}

/** Families that grants open to the members, or that the group reviews. */
export async function listReachedFamilies(db: Db, name: string): Promise<string[]> {
  const rows = await db
    .selectFrom("access_grant")
    .select("parent_id")
    .distinct()
    .where("subject_type", "=", "role")
    .where("subject_id", "=", name)
    .union(db.selectFrom("request").select("topic_parent_id as parent_id").where(reviewedByGroup(name)))
    .execute();
  return rows.map((row) => row.parent_id);
}

/** Removes the group from all reviews, so that a new group of the same name does not get them. @returns their ids. */
export async function removeFromReviews(db: Db, name: string): Promise<string[]> {
  const rows = await db
    .updateTable("request")
    .set({
      reviewers: sql<string>`(select json_group_array(json(reviewer.value)) from json_each(request.reviewers) as reviewer
        where reviewer.value ->> '$.group' is distinct from ${name})`,
    })
    .where(reviewedByGroup(name))
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}
