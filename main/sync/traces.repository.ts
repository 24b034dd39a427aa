import type { Db } from "../../shared/database/open.ts";
import { deleteLeasedIds } from "../replica/lease.repository.ts";

const remembered = ["withdrawn.%", "gone.%", "unsent-comment.%", "desk.%"];

/** What a replica remembers of its person beside objects and operations: leased ids, stored answers, unsent texts. */
export async function deleteTraces(db: Db): Promise<void> {
  await deleteLeasedIds(db);
  await db.deleteFrom("idempotency").execute();
  await db.deleteFrom("alias").where("parent_id", "=", "").execute();
  await db.deleteFrom("usage").execute();
  for (const pattern of remembered) await db.deleteFrom("setting").where("name", "like", pattern).execute();
}
