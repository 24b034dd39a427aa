import type { Db } from "../../shared/database/open.ts";

/** How many blobs there are, and their bytes. */
export async function sumBlobs(db: Db): Promise<{ blobs: number; bytes: number }> {
  const row = await db
    .selectFrom("blob")
    .select(({ fn }) => [fn.countAll<number>().as("blobs"), fn.sum<number | null>("size").as("bytes")])
    .where("state", "=", "present")
    .executeTakeFirst();
  return { blobs: Number(row?.blobs ?? 0), bytes: Number(row?.bytes ?? 0) };
}
