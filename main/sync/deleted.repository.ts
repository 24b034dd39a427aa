import type { Db } from "../../shared/database/open.ts";
import { findSetting, insertSetting } from "../../shared/database/setting.repository.ts";

const prefix = "gone.";

/** Stores ids of objects that were here and were deleted, so that they answer 404 offline too (hosts-and-sync 3). */
export async function rememberDeleted(db: Db, ids: Iterable<string>): Promise<void> {
  for (const id of new Set(ids)) await insertSetting(db, prefix + id, "");
}

/** Whether the object was here and was deleted. */
export const isDeleted = async (db: Db, id: string): Promise<boolean> =>
  (await findSetting(db, prefix + id)) !== undefined;
