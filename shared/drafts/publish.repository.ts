import type { Db, Tx } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import { doiScheme, type Pids } from "../identifiers/pids.schema.ts";
import { deletePids, insertPid } from "./draft.repository.ts";

export const insertRecord = prepared((db, row: RecordRow) => db.insertInto("record").values(row));

export const updateRecord = prepared((db, row: RecordRow) =>
  db.updateTable("record").set(row).where("id", "=", row.id),
);

/** Unmarks the present latest version of the family. */
export const retireOtherVersions = prepared((db, parentId: string) =>
  db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId),
);

/** Registers the identifiers of a record, and frees those that it had before, if any. */
export async function registerPids(tx: Tx, record: RecordRow, hasPids: boolean): Promise<void> {
  if (hasPids) await deletePids(tx, record.id);
  const { doi }: Pids = JSON.parse(record.pids);
  if (!doi) return;
  await insertPid(tx, {
    scheme: doiScheme,
    identifier: doi.identifier.toLowerCase(),
    parent_id: record.parent_id,
    record_id: record.id,
    provider: doi.provider,
    state: "registered",
  });
}

/** The name of the last queued command on a draft's review that the feed has not confirmed. */
export async function findQueuedReviewCommand(
  db: Db,
  { id, request_id }: Pick<DraftRow, "id" | "request_id">,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("operation")
    .select("kind")
    .where((where) => where.or([where("kind", "like", "review.%"), where("kind", "like", "request.%")]))
    .where((where) =>
      where.or([
        where("object_id", "in", request_id === null ? [id] : [id, request_id]),
        // Of a review that is queued itself, the draft does not know the id.
        where(
          "object_id",
          "in",
          where
            .selectFrom("operation as choice")
            .select("choice.aggregate_id")
            .where("choice.object_id", "=", id)
            .where("choice.kind", "=", "review.put"),
        ),
      ]),
    )
    .where("state", "in", ["pending", "sending", "applied"])
    .orderBy("position", "desc")
    .executeTakeFirst();
  return row?.kind;
}
