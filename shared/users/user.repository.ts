import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../database/dialect.ts";
import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import { reviewedBy } from "../database/reviewed-by.ts";
import type { UserRow } from "../database/schema.ts";
import { findSetting, storeSetting } from "../database/setting.repository.ts";
import { sortedBy } from "../database/sorted.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();

export const listUsers = (db: Db): Promise<UserRow[]> =>
  db.selectFrom("user").selectAll().orderBy("created").orderBy("id").execute();

/** Finds a user by user name or e-mail address, ignoring case. */
export const findUserByAccount = (db: Db, column: "username" | "email", text: string): Promise<UserRow | undefined> =>
  db
    .selectFrom("user")
    .selectAll()
    .where(
      isPostgres(db)
        ? sql<SqlBool>`lower(${sql.ref(column)}) = lower(${text} collate "C")`
        : sql<SqlBool>`${sql.ref(column)} = ${text} collate nocase`,
    )
    .executeTakeFirst();

/** The last id that may have been given to a user of the time before a restore. */
const skippedUserIds = "skipped_user_ids";

async function findLastUserId(db: Db): Promise<number> {
  const row = await db
    .selectFrom("user")
    .select(sql<number | null>`max(cast(id as bigint))`.as("last"))
    .executeTakeFirst();
  return Math.max(row?.last ?? 0, Number((await findSetting(db, skippedUserIds)) ?? 0));
}

/** Ids count up from 1; users are never deleted. */
export const takeUserId = async (db: Db): Promise<string> => String((await findLastUserId(db)) + 1);

/**
 * Leaves out the ids of users that a restored database has lost: replicas name them in grants and reviews that they
 * deliver again. One for each second since the last user was created, so that a second restore skips those of the first.
 */
export async function skipUserIds(db: Db, now: number): Promise<void> {
  const row = await db
    .selectFrom("user")
    .select(({ fn }) => fn.max("created").as("last"))
    .executeTakeFirst();
  const seconds = Math.max(0, Math.floor((now - (row?.last ?? now)) / 1_000_000));
  await storeSetting(db, skippedUserIds, String((await findLastUserId(db)) + 1000 + seconds));
}

export const insertUser = (db: Db, row: UserRow) => db.insertInto("user").values(row).execute();

export const updateUser = (db: Db, id: string, change: Partial<UserRow>) =>
  db.updateTable("user").set(change).where("id", "=", id).execute();

/** Active users in one of the groups, apart from one user. */
export async function countActiveIn(db: Db, groups: readonly string[], apartFrom: string): Promise<number> {
  const { count } = await db
    .selectFrom("user")
    .innerJoin("membership", "membership.user_id", "user.id")
    .select(({ fn }) => fn.count<number>("user.id").distinct().as("count"))
    .where("membership.group_name", "in", [...groups])
    .where("user.active", "=", 1)
    .where("user.confirmed", "=", 1)
    .where("user.id", "!=", apartFrom)
    .executeTakeFirstOrThrow();
  return count;
}

const readMembershipsOf = prepared((db, userId: string) =>
  db.selectFrom("membership").select("group_name").where("user_id", "=", userId),
);

const listMembershipsOf = sortedBy(readMembershipsOf, "group_name");

export const listGroupsOf = async (db: Db, userId: string): Promise<string[]> =>
  (await listMembershipsOf(db, userId)).map((row) => row.group_name);

export const listMemberships = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom("membership")
    .selectAll()
    .where("user_id", "in", [...userIds])
    .execute();

export async function listMembersOf(db: Db, group: string): Promise<string[]> {
  const rows = await db.selectFrom("membership").select("user_id").where("group_name", "=", group).execute();
  return rows.map((row) => row.user_id);
}

export const insertMembership = (db: Db, userId: string, group: string) =>
  db.insertInto("membership").values({ user_id: userId, group_name: group }).execute();

export const deleteMembership = (db: Db, userId: string, group: string) =>
  db.deleteFrom("membership").where("user_id", "=", userId).where("group_name", "=", group).execute();

/** Objects whose visibility may change with the user's roles: granted to them, sent to them or opened by them. */
export async function listWithinReach(db: Db, userId: string): Promise<ObjectRef[]> {
  const groups = sql`select group_name from membership where user_id = ${userId}`;
  const { rows } = await sql<ObjectRef>`
    select 'family' as kind, parent_id as id from access_grant where subject_id = ${userId} or subject_id in (${groups})
    union select 'family', topic_parent_id from request where creator_id = ${userId} or ${reviewedBy(userId)}
    union select 'family', request.topic_parent_id from subscription join request on request.id = object_id
      where kind = 'request' and user_id = ${userId}
    union select kind, object_id from subscription where kind in ('family', 'group') and user_id = ${userId}`.execute(
    db,
  );
  return rows;
}
