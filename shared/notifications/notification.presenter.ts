import type { NotificationRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** The event; `expired` is sent by mail only. */
export type Trigger = NotificationRow["kind"] | "expired";

/** A notification about something that others did (hosts-and-sync 5). */
export function presentNotification(row: NotificationRow): Record<string, unknown> {
  const isOfRecord = row.kind === "record_deleted";
  return {
    id: row.id,
    kind: row.kind,
    ...(isOfRecord ? { request: null, record: row.request_id } : { request: row.request_id }),
    comment: row.comment_id,
    actor: row.actor_id,
    title: row.title,
    created: isoTime(row.created),
    read: row.is_read === 1,
  };
}
