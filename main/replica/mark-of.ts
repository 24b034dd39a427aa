import type { Db } from "../../shared/database/open.ts";
import type { SyncMark } from "../../shared/kernel/sync-mark.ts";
import { isOfRemovedFile } from "../sync/announced-files.repository.ts";
import { reasonNow } from "../sync/gone-reasons.ts";
import type { Operation } from "../sync/operation.repository.ts";
import type { NotTaken } from "../sync/upstream.ts";

interface Disputed {
  hasConflict: boolean;
  notTaken: readonly NotTaken[];
}

/** The mark of an object; undefined if all of it is on the server. */
export async function markOf(
  db: Db,
  rows: readonly Operation[],
  { hasConflict, notTaken }: Disputed,
): Promise<SyncMark | undefined> {
  const needsUser = hasConflict || notTaken.length > 0;
  if (rows.length === 0 && !needsUser) return undefined;
  const worst = rows.find((row) => row.state === "rejected") ?? rows.find((row) => row.state === "sending");
  const unsent = worst?.state === "rejected" || worst?.state === "sending" ? worst.state : "pending";
  const isFileRemoved = worst !== undefined && (await isOfRemovedFile(db, worst));
  const reason = worst && reasonNow(worst, { isHere: true, isFileRemoved });
  return {
    // Operations that need the user come first.
    state: needsUser && unsent !== "rejected" ? "conflict" : unsent,
    operations: rows.map((row) => ({ id: row.id, kind: row.kind })),
    ...(reason ? { message: reason } : {}),
    ...(notTaken.length > 0 ? { not_taken: [...notTaken] } : {}),
  };
}
