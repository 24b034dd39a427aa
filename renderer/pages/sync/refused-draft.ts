import type { TrayEntry } from "../../api-client/sync-types.ts";
import type { Compared } from "../compare/compare-records.ts";

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Adds names to vocabulary entries, which a snapshot has by id only. Takes them from the server's object. */
function withNames(kept: unknown, there: unknown): unknown {
  if (Array.isArray(kept)) {
    const found = Array.isArray(there) ? there : [];
    return kept.map((item, index) => {
      const same = isObject(item) && found.find((one) => isObject(one) && one.id !== undefined && one.id === item.id);
      return withNames(item, same || found[index]);
    });
  }
  if (!isObject(kept) || !isObject(there)) return kept;
  if (kept.id !== undefined && kept.id !== there.id) return kept;
  const members = Object.entries(kept).map(([key, member]) => [key, withNames(member, there[key])]);
  return { ...(kept.id === undefined && there.name === undefined ? {} : there), ...Object.fromEntries(members) };
}

/** The two sides of a refused change; undefined unless both have a draft. */
export function sidesOf({ operation, server }: TrayEntry): { mine: Compared; theirs: Compared } | undefined {
  const { content } = operation;
  if (!content || !server?.metadata || !server.access) return undefined;
  const { metadata, access, custom_fields = {}, pids = {} } = server;
  const theirs = { metadata, access, custom_fields, pids };
  return { mine: withNames(content, theirs) as Compared, theirs };
}
