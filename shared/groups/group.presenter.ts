import type { GroupRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** A group (interface, Group). */
export function presentGroup(group: GroupRow, baseUrl: string): Record<string, unknown> {
  const self = `${baseUrl}/api/groups/${encodeURIComponent(group.name)}`;
  return {
    id: group.name,
    name: group.name,
    description: group.description,
    is_managed: group.is_managed === 1,
    created: isoTime(group.created),
    updated: isoTime(group.updated),
    revision_id: group.revision_id,
    links: { self, avatar: `${self}/avatar.svg` },
  };
}
