import type { TrayEntry } from "../../api-client/sync-types.ts";
import { type Compared, compareFields } from "../compare/compare-records.ts";

/**
 * The two sides of a refused change; undefined unless both have a draft, and differ. Files are not compared: a refused upload
 * leaves the fields as they are.
 */
export function sidesOf({ operation, server }: TrayEntry): { mine: Compared; theirs: Compared } | undefined {
  const { content } = operation;
  if (!content || !server?.metadata || !server.access) return undefined;
  const { metadata, access, custom_fields = {}, pids = {} } = server;
  const theirs = { metadata, access, custom_fields, pids };
  return compareFields(theirs, content).some(({ kind }) => kind !== "same") ? { mine: content, theirs } : undefined;
}
