import { type Db, transaction } from "../../shared/database/open.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import { Random } from "../support/random.ts";
import { rowsOf, Words } from "./record-generator.ts";

/** Fills a server's database with published records of one user, who has no replicas with them yet. */
export async function giveRecords(db: Db, userId: string, count: number, seed = 7): Promise<void> {
  const random = new Random(seed);
  const words = new Words(random);
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from) }, (_, index) =>
      rowsOf(random, words, from + index),
    );
    await transaction(db, async (tx) => {
      for (const [index, { parent, record, files }] of batch.entries()) {
        await tx
          .insertInto("parent")
          .values({ ...parent, owner_id: userId })
          .execute();
        await tx.insertInto("record").values(record).execute();
        await tx.insertInto("file_entry").values(files).execute();
        const entry = { user_id: userId, kind: "family", object_id: parent.id, seq: from + index + 1 };
        await tx
          .insertInto("feed")
          .values({ ...entry, state: "live" })
          .execute();
      }
      await tx
        .insertInto("setting")
        .values({ name: "feed_head", value: String(from + batch.length) })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: String(from + batch.length) }))
        .execute();
    });
    await yieldToEventLoop();
  }
}
