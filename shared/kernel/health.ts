import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Db } from "../database/open.ts";
import { storeSetting } from "../database/setting.repository.ts";

/** Whether the database can be read and written, and the blob folder can be written (hosts-and-sync 6). */
export async function isHealthy(db: Db, blobFolder: string): Promise<boolean> {
  try {
    await access(blobFolder, constants.W_OK);
    await storeSetting(db, "health", String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
