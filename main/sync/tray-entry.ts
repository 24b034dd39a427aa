import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import type { Snapshot } from "./snapshot.ts";

/** What was asked; of a draft with the content that the person saw, to lay beside what the server has. */
function operationOf(row: Selectable<OperationRow>): Record<string, unknown> {
  const snapshot: Snapshot | null = row.snapshot === null ? null : JSON.parse(row.snapshot);
  return { ...JSON.parse(row.payload), ...(snapshot ? { content: snapshot.input } : {}) };
}

/**
 * Refused work as its person sees it (hosts-and-sync 8, Tray entry).
 * @param server the body of the object as the server has it now, null when it is gone.
 */
export const presentTrayEntry = (row: Selectable<OperationRow>, server: unknown) => ({
  id: row.id,
  kind: row.kind,
  object: { kind: row.object_kind, id: row.object_id, title: row.title },
  created: isoTime(row.created),
  refused: isoTime(row.refused ?? row.created),
  reason: row.reason ?? "",
  operation: operationOf(row),
  server,
});
