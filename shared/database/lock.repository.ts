import type { Db } from "./open.ts";
import { prepared, preparedFirst } from "./prepared.ts";

const insertLock = preparedFirst((db, name: string, holder: string, until: number) =>
  db
    .insertInto("turn")
    .values({ name, holder, wanted: null, held_until: until })
    .onConflict((conflict) => conflict.doNothing())
    .returning("holder"),
);

const seizeLock = preparedFirst((db, name: string, holder: string, now: number, until: number, tooLong: number) =>
  db
    .updateTable("turn")
    .set({ holder, wanted: null, held_until: until })
    .where("name", "=", name)
    .where((where) => where.or([where("held_until", "<=", now), where("held_until", ">", tooLong)]))
    .returning("holder"),
);

interface Take {
  name: string;
  holder: string;
  now: number;
  until: number;
}

/**
 * Takes a free lock, or seizes one whose lease has ended. A lease of more than twice its length comes from a clock that
 * was set back since.
 * @returns undefined while another holder has the lock.
 */
export async function takeLock(db: Db, { name, holder, now, until }: Take): Promise<{ isSeized: boolean } | undefined> {
  if (await insertLock(db, name, holder, until)) return { isSeized: false };
  return (await seizeLock(db, name, holder, now, until, until + (until - now))) && { isSeized: true };
}

export const findLock = preparedFirst((db, name: string) =>
  db.selectFrom("turn").select(["holder", "wanted"]).where("name", "=", name),
);

/** Requests the lock from its holder. If several calls request it, the newest gets it. */
export const requestLock = prepared((db, name: string, wanted: string) =>
  db.updateTable("turn").set({ wanted }).where("name", "=", name),
);

/** Extends the lease of a lock that is still held. */
export const renewLock = prepared((db, name: string, holder: string, until: number) =>
  db.updateTable("turn").set({ held_until: until }).where("name", "=", name).where("holder", "=", holder),
);

export const deleteLock = prepared((db, name: string, holder: string) =>
  db.deleteFrom("turn").where("name", "=", name).where("holder", "=", holder),
);
