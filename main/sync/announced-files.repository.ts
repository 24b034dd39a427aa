import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { commitFile, describeFile, initFiles } from "../../shared/files/file.schema.ts";
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
 * space.
 */
export async function isOfRemovedFile(db: Db, { id, kind, state }: Operation): Promise<boolean> {
  if (state !== "rejected" || (kind !== commitFile.name && kind !== describeFile.name)) return false;
  const row = await db
    .selectFrom("operation")
    .innerJoin("draft", "draft.id", "operation.object_id")
    .select("operation.id")
    .where("operation.id", "=", id)
    .where(sql<boolean>`operation.payload ->> 'entryId' not in (select id from file_entry)`)
    .executeTakeFirst();
  return row !== undefined;
}
