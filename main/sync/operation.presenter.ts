import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";

type Operation = Selectable<OperationRow>;

const timeOrNull = (micros: number | null): string | null => (micros === null ? null : isoTime(micros));

/** The object of an operation; for a comment also its request. */
export const objectOf = ({ object_kind, object_id, aggregate_kind, aggregate_id }: Operation) => ({
  kind: object_kind,
  id: object_id,
  ...(object_kind === "comment" && aggregate_kind === "request" ? { request: aggregate_id } : {}),
});

/** Delivered work: its object, when it was delivered, and how many saves it groups. */
export const presentDone = (row: Operation & { times: number; last: number }) => ({
  id: row.id,
  kind: row.kind,
  object: objectOf(row),
  title: row.title,
  delivered: isoTime(row.last),
  times: row.times,
});

interface Waits {
  /** The rejected operation that this one depends on. */
  refused?: Operation | undefined;
  /** Why it failed alone, and when it is sent again. */
  aside?: { reason: string; due: number } | undefined;
  /** Whether it waits for one that failed alone. */
  isBehind: boolean;
}

function reasonOf({ reason }: Operation, { refused, aside, isBehind }: Waits): string | null {
  if (refused) return `It waits for what was refused before: ${refused.title}.`;
  return aside?.reason ?? (isBehind ? "It waits for an earlier change that cannot be sent now." : reason);
}

/**
 * An unsent operation (hosts-and-sync 8, Operation).
 * @param nextAttempt time of the next attempt, in microseconds UTC.
 */
export const presentOperation = (row: Operation, nextAttempt: number | null, waits: Waits) => ({
  id: row.id,
  kind: row.kind,
  object: objectOf(row),
  title: row.title,
  created: isoTime(row.created),
  attempts: row.attempts,
  next_attempt: timeOrNull(waits.refused ? null : (nextAttempt ?? (waits.aside?.due || null))),
  state: row.state,
  bytes: row.bytes,
  reason: reasonOf(row, waits),
});
