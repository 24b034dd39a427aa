import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { initFiles } from "../../shared/files/file.schema.ts";
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
