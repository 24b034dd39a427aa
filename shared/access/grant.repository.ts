import type { Db } from "../database/open.ts";
import type { AccessGrantRow } from "../database/schema.ts";

export const insertGrant = (db: Db, row: AccessGrantRow) => db.insertInto("access_grant").values(row).execute();

export const updateGrantRow = (db: Db, id: string, change: Partial<AccessGrantRow>) =>
  db.updateTable("access_grant").set(change).where("id", "=", id).execute();

export const deleteGrantRow = (db: Db, id: string) => db.deleteFrom("access_grant").where("id", "=", id).execute();

export const updateSettings = (db: Db, parentId: string, settings: string) =>
  db.updateTable("parent").set({ settings }).where("id", "=", parentId).execute();

export const existsUser = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("user").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

export const existsGroup = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom("group").select("name").where("name", "=", name).executeTakeFirst()) !== undefined;
