import type { Db } from "../../../shared/database/open.ts";
import type { UpstreamWitnessRow } from "../../../shared/database/schema.ts";
import type { Change } from "../../../shared/documents/change.ts";

/** How many changes of a draft are remembered. */
const maxWitnesses = 50;

/** Remembers values before and after the user's edits. */
export async function insertWitnesses(db: Db, draftId: string, changes: readonly Change[]): Promise<void> {
  for (const { path, before, after } of changes.slice(-maxWitnesses)) {
    const values = { before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) };
    await db
      .insertInto("upstream_witness")
      .values({ draft_id: draftId, path: JSON.stringify(path), ...values })
      .execute();
  }
  const last = db.selectFrom("upstream_witness").select("id").where("draft_id", "=", draftId);
  await db
    .deleteFrom("upstream_witness")
    .where("draft_id", "=", draftId)
    .where("id", "not in", last.orderBy("id", "desc").limit(maxWitnesses))
    .execute();
}

export type Witness = Pick<UpstreamWitnessRow, "path" | "before" | "after">;

/** The last changes of the user in a draft, the newest first. */
export const listWitnesses = (db: Db, draftId: string): Promise<Witness[]> =>
  db
    .selectFrom("upstream_witness")
    .select(["path", "before", "after"])
    .where("draft_id", "=", draftId)
    .orderBy("id", "desc")
    .execute();
