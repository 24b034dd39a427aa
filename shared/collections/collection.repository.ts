import type { Db } from "../database/open.ts";
import type { CollectionRow } from "../database/schema.ts";

export const listCollectionRows = (db: Db): Promise<CollectionRow[]> =>
  db.selectFrom("collection").selectAll().orderBy("slug").execute();

export const findCollectionRow = (db: Db, slug: string): Promise<CollectionRow | undefined> =>
  db.selectFrom("collection").selectAll().where("slug", "=", slug).executeTakeFirst();

export const insertCollection = (db: Db, row: CollectionRow) => db.insertInto("collection").values(row).execute();

export const updateCollectionRow = (db: Db, slug: string, change: Partial<CollectionRow>) =>
  db.updateTable("collection").set(change).where("slug", "=", slug).execute();

export const deleteCollectionRow = (db: Db, slug: string) =>
  db.deleteFrom("collection").where("slug", "=", slug).execute();
