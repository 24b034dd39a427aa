import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";

type Operation = Selectable<OperationRow>;

const timeOrNull = (micros: number | null): string | null => (micros === null ? null : isoTime(micros));

/** An unsent operation as the person sees it (hosts-and-sync 8, Operation); `nextAttempt` is when the line is tried again. */
export const presentOperation = (row: Operation, nextAttempt: number | null) => ({
  id: row.id,
  kind: row.kind,
  object: { kind: row.object_kind, id: row.object_id },
  title: row.title,
  created: isoTime(row.created),
  attempts: row.attempts,
  next_attempt: timeOrNull(nextAttempt),
  state: row.state,
  bytes: row.bytes,
  reason: row.reason,
});
