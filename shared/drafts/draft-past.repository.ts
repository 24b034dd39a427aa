import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { DraftPastRow } from "../database/schema.ts";

/** Inserts or replaces the state under a place, so that repeated work stores it once. */
export const upsertPast = prepared((db, row: DraftPastRow) =>
  db
    .insertInto("draft_past")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["draft_id", "place"]).doUpdateSet({ epoch: row.epoch, state: row.state, kept: row.kept }),
    ),
);

/** Deletes the revisions of a draft from `first` to `last`. */
export const deletePastBetween = prepared((db, draftId: string, first: number, last: number) =>
  db.deleteFrom("draft_past").where("draft_id", "=", draftId).where("place", ">=", first).where("place", "<=", last),
);

export const findPast = preparedFirst((db, draftId: string, place: number) =>
  db.selectFrom("draft_past").select(["epoch", "state"]).where("draft_id", "=", draftId).where("place", "=", place),
);

/** The earlier documents of an epoch with their sizes, newest first. */
export const listPast = prepared((db, draftId: string, epoch: number) =>
  db
    .selectFrom("draft_past")
    .select(["place", (part) => part.fn<number>("length", ["state"]).as("bytes")])
    .where("draft_id", "=", draftId)
    .where("epoch", "=", epoch)
    .orderBy("kept", "desc")
    .orderBy("place", "desc"),
);

export const deletePastBefore = (db: Db, kept: number) =>
  db.deleteFrom("draft_past").where("kept", "<", kept).execute();
