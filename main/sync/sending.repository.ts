import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { putReview } from "../../shared/requests/request.schema.ts";

/** Marks operations as being sent. */
export const startSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "sending", attempts: of("attempts", "+", 1) }))
    .where("id", "in", ids)
    .execute();

/** Resets operations that the server did not reach, as if they had not been sent. */
export const withdrawSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "pending", attempts: sql<number>`max(${of.ref("attempts")} - 1, 0)` }))
    .where("state", "=", "sending")
    .where("id", "in", ids)
    .execute();

/** Resets operations that are no longer being sent. */
export const endSending = (db: Db, ids: string[]) =>
  db.updateTable("operation").set({ state: "pending" }).where("state", "=", "sending").where("id", "in", ids).execute();

/**
 * Unsent and rejected operations, as `listOpen`. Decisions on requests carry their family, also if only an operation chose
 * the reviewer, and each row says whether the draft that it names is here.
 * @param most lists only the oldest.
 */
export const listOpenWithTopics = (db: Db, most = -1) =>
  db
    .selectFrom("operation")
    .leftJoin("request", (join) =>
      join
        .onRef("request.id", "=", "operation.aggregate_id")
        .on("operation.aggregate_kind", "=", "request")
        .on("operation.delivery", "=", "ask"),
    )
    .leftJoin("draft", (join) =>
      join.onRef("draft.id", "=", "operation.object_id").on("operation.aggregate_kind", "=", "request"),
    )
    .selectAll("operation")
    .select((of) => {
      const chosen = of
        .selectFrom("operation as choice")
        .innerJoin("draft as reviewed", "reviewed.id", "choice.object_id")
        .select("reviewed.parent_id")
        .whereRef("choice.aggregate_id", "=", "operation.aggregate_id")
        .where("choice.aggregate_kind", "=", "request")
        .where("choice.kind", "=", putReview.name)
        .where("operation.delivery", "=", "ask")
        .limit(1);
      return of.fn.coalesce("request.topic_parent_id", "draft.parent_id", chosen).as("topic");
    })
    .select(sql<0 | 1>`exists (select 1 from draft where draft.id = operation.object_id)`.as("has_draft"))
    .where("operation.state", "in", ["pending", "sending", "rejected"])
    .orderBy("operation.position")
    .limit(most)
    .execute();
