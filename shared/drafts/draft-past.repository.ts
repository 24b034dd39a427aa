import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { DraftPastRow } from "../database/schema.ts";

/** A state to store; its owner is the owner of its draft. */
type NewPast = Omit<DraftPastRow, "owner_id">;

/** What an upsert tells: the owner, and the bytes of their states, with or without this one. */
interface Stored {
  owner_id: string;
  bytes: number;
}

/** Inserts or replaces the state under a place, so that repeated work stores it once. */
export const upsertPast = preparedFirst((db, row: NewPast, draftId: string) =>
  db
    .insertInto("draft_past")
    .values({
      ...row,
      owner_id: sql<string>`coalesce((select parent.owner_id from draft join parent on parent.id = draft.parent_id
        where draft.id = ${draftId}), '')`,
    })
    .onConflict((conflict) =>
      conflict.columns(["draft_id", "place"]).doUpdateSet((excluded) => ({
        ...{ epoch: row.epoch, bytes: row.bytes, kept: row.kept, state: row.state, saver: row.saver },
        owner_id: excluded.ref("excluded.owner_id"),
      })),
    )
    .returning([
      "owner_id",
      sql<number>`(select coalesce(sum(other.bytes), 0) from draft_past as other
        where other.owner_id = draft_past.owner_id)`.as("bytes"),
    ])
    .$castTo<Stored>(),
);

/** Deletes the revisions of a draft from `first` to `last`. */
export const deletePastBetween = prepared((db, draftId: string, first: number, last: number) =>
  db.deleteFrom("draft_past").where("draft_id", "=", draftId).where("place", ">=", first).where("place", "<=", last),
);

/** Bytes of the states stored for an owner. */
export const measurePast = preparedFirst((db, ownerId: string) =>
  db
    .selectFrom("draft_past")
    .select((row) => row.fn.coalesce(row.fn.sum<number>("bytes"), row.val(0)).as("bytes"))
    .where("owner_id", "=", ownerId),
);

/** The oldest states of an owner, without their content. */
export const listOldestPast = prepared((db, ownerId: string, most: number) =>
  db
    .selectFrom("draft_past")
    .select(["draft_id", "place", "bytes"])
    .where("owner_id", "=", ownerId)
    .orderBy("kept")
    .orderBy("draft_id")
    .orderBy("place")
    .limit(most),
);

export const findPast = preparedFirst((db, draftId: string, place: number) =>
  db.selectFrom("draft_past").select(["epoch", "state"]).where("draft_id", "=", draftId).where("place", "=", place),
);

/** As `findPast`, and whether this or a later state was changed by a save of `saver`. */
export const findPastAndSaves = preparedFirst((db, draftId: string, place: number, saver: string) =>
  db
    .selectFrom("draft_past")
    .select([
      "epoch",
      "state",
      sql<0 | 1>`case when exists (select 1 from draft_past as later where later.draft_id = draft_past.draft_id
        and later.place >= draft_past.place and later.saver = ${saver}) then 1 else 0 end`.as("is_overtaken"),
    ])
    .where("draft_id", "=", draftId)
    .where("place", "=", place),
);

/** The earlier documents of an epoch with their sizes, newest first. */
export const listPast = prepared((db, draftId: string, epoch: number) =>
  db
    .selectFrom("draft_past")
    .select(["place", "bytes"])
    .where("draft_id", "=", draftId)
    .where("epoch", "=", epoch)
    .orderBy("kept", "desc")
    .orderBy("place", "desc"),
);

export const deletePastBefore = (db: Db, kept: number) =>
  db.deleteFrom("draft_past").where("kept", "<", kept).execute();
