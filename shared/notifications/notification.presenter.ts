import type { NotificationRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** What happened; `expired` is told by mail alone. */
export type Trigger = NotificationRow["kind"] | "expired";

/** Something that others did and that concerns the caller (hosts-and-sync 5). */
export function presentNotification(row: NotificationRow): Record<string, unknown> {
  return {
    id: row.id,
    kind: row.kind,
    request: row.request_id,
    comment: row.comment_id,
    actor: row.actor_id,
    title: row.title,
    created: isoTime(row.created),
    read: row.is_read === 1,
  };
}
