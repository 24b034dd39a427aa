import type { AccessLinkRow } from "../database/schema.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** An access link, for callers with the level `manage` (records 7.2). */
export const presentLink = (link: AccessLinkRow, sync: SyncMark | undefined): Record<string, unknown> => ({
  id: link.id,
  created_at: isoTime(link.created_at),
  ...(link.expires_at === null ? {} : { expires_at: link.expires_at }),
  permission: link.permission,
  description: link.description,
  token: link.token,
  ...(sync ? { sync } : {}),
});
