import type { Db } from "../shared/database/open.ts";
import type { ProcessMessageRow } from "../shared/database/schema.ts";

/** A process reads many times a second, so none needs older ones. */
const kept = 1000;

export const findLastMessage = async (db: Db): Promise<number> => {
  const newest = db.selectFrom("process_message").select((select) => select.fn.max<number | null>("seq").as("seq"));
  return (await newest.executeTakeFirst())?.seq ?? 0;
};

export const listMessages = (db: Db, after: number): Promise<ProcessMessageRow[]> =>
  db.selectFrom("process_message").selectAll().where("seq", ">", after).orderBy("seq").execute();

/** Stores messages, and deletes old ones. */
export async function insertMessages(db: Db, sender: string, bodies: readonly string[]): Promise<void> {
  const rows = bodies.map((body) => ({ sender, body }));
  const stored = await db.insertInto("process_message").values(rows).returning("seq").execute();
  const last = Math.max(...stored.map(({ seq }) => seq));
  await db
    .deleteFrom("process_message")
    .where("seq", "<=", last - kept)
    .execute();
}
