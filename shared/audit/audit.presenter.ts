import type { AuditRow, UserRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** An entry for `GET /api/audit-logs` and `carrel audit`; the outer keys are InvenioRDM's. */
export function presentAuditEntry(
  entry: Omit<AuditRow, "id"> & { id: number },
  actor: Pick<UserRow, "id" | "username" | "email"> | undefined,
): Record<string, unknown> {
  const { object_type: type, object_id: id } = entry;
  return {
    id: String(entry.id),
    created: isoTime(entry.at),
    action: entry.action,
    resource: type === null || id === null ? null : { type, id },
    user_id: entry.actor,
    user: actor ? { id: actor.id, username: actor.username, email: actor.email } : null,
    metadata: {
      outcome: entry.outcome,
      status: entry.status,
      via: entry.via,
      credential: entry.credential,
      ip_address: entry.address,
      details: JSON.parse(entry.details) as Record<string, unknown>,
    },
  };
}
