import type { Db } from "../../shared/database/open.ts";
import type { ReplicaRow } from "../../shared/database/schema.ts";

export const findReplica = (db: Db, id: string): Promise<ReplicaRow | undefined> =>
  db.selectFrom("replica").selectAll().where("id", "=", id).executeTakeFirst();

export const upsertReplica = (db: Db, row: ReplicaRow) =>
  db
    .insertInto("replica")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ session: row.session, nonce: row.nonce, seen: row.seen }),
    )
    .execute();

/** More than there are: an offset needs a limit. */
const allOthers = 1_000_000_000;

/** Deletes all but the most recently seen replicas of a user. */
export const deleteOldReplicas = (db: Db, userId: string, kept: number) =>
  db
    .deleteFrom("replica")
    .where("id", "in", (from) =>
      from
        .selectFrom("replica")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("seen", "desc")
        .orderBy("id")
        .limit(allOthers)
        .offset(kept),
    )
    .execute();
