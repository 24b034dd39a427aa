import type { Db } from "./open.ts";
import { prepared, preparedFirst } from "./prepared.ts";

const insertTurn = preparedFirst((db, name: string, holder: string, until: number) =>
  db
    .insertInto("turn")
    .values({ name, holder, wanted: null, held_until: until })
    .onConflict((conflict) => conflict.doNothing())
    .returning("holder"),
);

const seizeTurn = preparedFirst((db, name: string, holder: string, now: number, until: number, tooLong: number) =>
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
 * Takes a turn that nobody has, or seizes one whose lease has ended. A lease of more than twice its length comes from a
 * clock that was set back since. @returns undefined while somebody has it.
 */
export async function takeTurn(db: Db, { name, holder, now, until }: Take): Promise<{ isSeized: boolean } | undefined> {
  if (await insertTurn(db, name, holder, until)) return { isSeized: false };
  return (await seizeTurn(db, name, holder, now, until, until + (until - now))) && { isSeized: true };
}

export const findTurn = preparedFirst((db, name: string) =>
  db.selectFrom("turn").select(["holder", "wanted"]).where("name", "=", name),
);

/** Asks the holder for the turn. The newest call that asks gets it. */
export const wantTurn = prepared((db, name: string, wanted: string) =>
  db.updateTable("turn").set({ wanted }).where("name", "=", name),
);

/** Lengthens the lease of a turn that is still held. */
export const renewTurn = prepared((db, name: string, holder: string, until: number) =>
  db.updateTable("turn").set({ held_until: until }).where("name", "=", name).where("holder", "=", holder),
);

export const deleteTurn = prepared((db, name: string, holder: string) =>
  db.deleteFrom("turn").where("name", "=", name).where("holder", "=", holder),
);
