import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Db } from "../database/open.ts";
import { storeSetting } from "../database/setting.repository.ts";

/** Whether a folder of bytes can be written. */
export const isFolderWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Whether the database can be read and written, and the blob folder can be written (hosts-and-sync 6). */
export async function isHealthy(db: Db, blobFolder: string): Promise<boolean> {
  if (!(await isFolderWritable(blobFolder))) return false;
  try {
    await storeSetting(db, "health", String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
