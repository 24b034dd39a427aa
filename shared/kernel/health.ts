import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Db } from "../database/open.ts";

/** Whether the database can be read and written, and the blob folder can be written (hosts-and-sync 6). */
export async function isHealthy(db: Db, blobFolder: string): Promise<boolean> {
  try {
    await access(blobFolder, constants.W_OK);
    const value = String(Date.now());
    await db
      .insertInto("setting")
      .values({ name: "health", value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
    return true;
  } catch {
    return false;
  }
}
