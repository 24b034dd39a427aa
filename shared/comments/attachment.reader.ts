import type { Db } from "../database/open.ts";

/** Files of a request that belong to no comment yet. */
export const listUnattachedFiles = (db: Db, requestId: string, ids: readonly string[]) =>
  db
    .selectFrom("event_file")
    .select(["id", "key", "original_filename as name", "size"])
    .where("request_id", "=", requestId)
    .where("id", "in", [...ids])
    .where("event_id", "is", null)
    .execute();
