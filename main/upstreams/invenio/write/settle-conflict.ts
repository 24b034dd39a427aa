import { transaction } from "../../../../shared/database/open.ts";
import type { ResolveConflict } from "../../../../shared/drafts/draft.schema.ts";
import { findFamilyOf, findShadow, lastSeq, putShadow } from "../shadow.repository.ts";
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
    const shadow = family === undefined ? undefined : await findShadow(tx, { kind: "family", id: family });
    const rows = shadow?.bundle.rows;
    if (rows) rows.conflict = (rows.conflict ?? []).filter((row) => row.id !== id);
    const at = shadow ? await putShadow(tx, shadow, site.options.now()) : await lastSeq(tx);
    await attempts.finish(tx, [operationId], "settle-conflict", { seq: at, result });
    return at;
  });
  site.options.onChange();
  return { outcome: "applied", seq, result };
}
