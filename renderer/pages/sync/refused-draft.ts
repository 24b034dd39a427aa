import type { TrayEntry } from "../../api-client/sync-types.ts";
import type { Compared } from "../compare/compare-records.ts";

/** The two sides of a refused change; undefined unless both have a draft. */
export function sidesOf({ operation, server }: TrayEntry): { mine: Compared; theirs: Compared } | undefined {
  const { content } = operation;
  if (!content || !server?.metadata || !server.access) return undefined;
  const { metadata, access, custom_fields = {}, pids = {} } = server;
  return { mine: content, theirs: { metadata, access, custom_fields, pids } };
}
