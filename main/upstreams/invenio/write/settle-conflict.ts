import { transaction } from "../../../../shared/database/open.ts";
import type { ResolveConflict } from "../../../../shared/drafts/draft.schema.ts";
import { findFamilyOf, findHeard, lastSeq, putHeard } from "../shadow.repository.ts";
import type { Result, Writing } from "./outcome.ts";

/** Conflicts exist here only, so settling one needs no call. */
export async function settleConflictHere(
  { site, attempts }: Writing,
  operationId: string,
  { id, draftId }: ResolveConflict,
): Promise<Result> {
  const result = { id: draftId };
  const seq = await transaction(site.db, async (tx) => {
    const family = await findFamilyOf(tx, draftId);
    const heard = family === undefined ? undefined : await findHeard(tx, { kind: "family", id: family });
    const rows = heard?.bundle.rows;
    if (rows) rows.conflict = (rows.conflict ?? []).filter((row) => row.id !== id);
    const at = heard ? await putHeard(tx, heard, site.options.now()) : await lastSeq(tx);
    await attempts.finish(tx, [operationId], "settle-conflict", { seq: at, result });
    return at;
  });
  site.options.onHeard();
  return { outcome: "applied", seq, result };
}
