import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast } from "../../shared/access/level.policy.ts";
import type { Db } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { type CountedVersion, listCounted, listCountedOf, readUsageHead } from "./usage-feed.repository.ts";

const maxAtOnce = 1000;

/** New counts for a reader, and the position for the next page. */
export interface CountedSince {
  usage: UsageRow[];
  position: number;
}

/**
 * Adds usage counts to pages that are sent anyway. Counts wake nobody and have no feed entries, so that a popular
 * record costs its holders only a few bytes (shared/usage/README.md).
 * @param families in this page: their counts are always sent, because the reader may not have them yet.
 */
export async function countedSince(
  db: Db,
  access: AccessService,
  reader: { caller: Caller; after: number; families: readonly string[] },
): Promise<CountedSince> {
  const { caller, after, families } = reader;
  const changed = await listCounted(db, caller.userId ?? "", after, maxAtOnce);
  const isCut = changed.length === maxAtOnce;
  // Counts of one batch share a position. A cut batch is read again.
  const position = isCut ? Math.max(after + 1, (changed.at(-1)?.seq ?? 0) - 1) : await readUsageHead(db);
  const usage: UsageRow[] = [];
  for (const row of [...changed, ...(await listCountedOf(db, families))]) {
    if (await mayKnow(db, access, caller, row)) usage.push(withoutAccess(row));
  }
  return { usage, position };
}

const withoutAccess = ({ access: _access, ...row }: CountedVersion): UsageRow => row;

async function mayKnow(db: Db, access: AccessService, caller: Caller, row: CountedVersion): Promise<boolean> {
  if (row.access === null || JSON.parse(row.access).record === "public") return true;
  return isAtLeast((await access.of(db, caller, row.parent_id)).level, "view");
}
