import type { Db } from "../../shared/database/open.ts";
import { deleteLeasedIds } from "../replica/lease.repository.ts";

const upstreamTables = [
  "upstream_object",
  "upstream_content",
  "upstream_id",
  "upstream_attempt",
  "upstream_witness",
  "upstream_blob",
] as const;
const remembered = ["withdrawn.%", "gone.%"];

/** Deletes the user's remaining data: leased ids, stored answers, unsent comments, removed files, aliases, usage counts, notes, pictures of users, the shadow. */
export async function deleteTraces(db: Db): Promise<void> {
  await deleteLeasedIds(db);
  await db.deleteFrom("idempotency").execute();
  await db.deleteFrom("removed_file").execute();
  await db.deleteFrom("alias").where("parent_id", "=", "").execute();
  await db.deleteFrom("usage").execute();
  await db.deleteFrom("desk_note").execute();
  await db.deleteFrom("user_picture").execute();
  await db.deleteFrom("comment_draft").execute();
  for (const table of upstreamTables) await db.deleteFrom(table).execute();
  for (const pattern of remembered) await db.deleteFrom("setting").where("name", "like", pattern).execute();
}
