import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { commitFile, deleteFile, describeFile, initFiles } from "../../shared/files/file.schema.ts";
import type { Operation } from "./operation.repository.ts";

/** Ids of unsent operations on the files that an operation announces. */
export async function listOnAnnounced(db: Db, { kind, object_id, payload }: Operation): Promise<string[]> {
  if (kind !== initFiles.name) return [];
  const rows = await db
    .selectFrom("operation")
    .select("id")
    .where("object_id", "=", object_id)
    .where("state", "in", ["pending", "sending"])
    .where(sql<boolean>`payload ->> 'entryId' in (select value ->> 'id' from json_each(${payload}, '$.files'))`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether an operation is on a file whose announcement was refused. */
export async function isOfRefusedFile(db: Db, { kind, object_id, payload }: Operation): Promise<boolean> {
  const { entryId } = kind.startsWith("file.") ? JSON.parse(payload) : {};
  if (entryId === undefined) return false;
  const init = await db
    .selectFrom("operation")
    .select("id")
    .where("kind", "=", initFiles.name)
    .where("object_id", "=", object_id)
    .where("state", "=", "rejected")
    .where(sql<boolean>`${entryId} in (select value ->> 'id' from json_each(payload, '$.files'))`)
    .executeTakeFirst();
  return init !== undefined;
}

/**
 * Whether a refused upload or description is of a file that its draft does not have any more: the user, for one, made
 * space. A file that another one of its name has replaced is not meant: its refusal says so.
 */
export async function isOfRemovedFile(db: Db, { kind, object_id, payload, state }: Operation): Promise<boolean> {
  if (state !== "rejected" || (kind !== commitFile.name && kind !== describeFile.name)) return false;
  const { entryId, key } = JSON.parse(payload);
  const draft = await db.selectFrom("draft").select("id").where("id", "=", object_id).executeTakeFirst();
  const entries = await db
    .selectFrom("file_entry")
    .select(["id", "key"])
    .where("owner_kind", "=", "draft")
    .where("owner_id", "=", object_id)
    .execute();
  if (draft === undefined || entries.some(({ id }) => id === entryId)) return false;
  if (!entries.some((entry) => entry.key === key)) return true;
  const removal = await db
    .selectFrom("operation")
    .select("id")
    .where("kind", "=", deleteFile.name)
    .where("object_id", "=", object_id)
    .where(sql<boolean>`payload ->> 'entryId' = ${entryId}`)
    .executeTakeFirst();
  return removal !== undefined;
}
