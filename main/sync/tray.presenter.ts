import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";

/** Refused work as its person sees it (hosts-and-sync 8, Tray entry). */
export const presentTrayEntry = (row: Selectable<OperationRow>) => ({
  id: row.id,
  kind: row.kind,
  object: { kind: row.object_kind, id: row.object_id, title: row.title },
  created: isoTime(row.created),
  refused: isoTime(row.refused ?? row.created),
  reason: row.reason ?? "",
  operation: JSON.parse(row.payload),
  server: row.server === null ? null : JSON.parse(row.server),
});
