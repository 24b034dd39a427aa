import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast } from "../../shared/access/level.policy.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { type CountedVersion, listCounted, listCountedOf, readUsageHead } from "./usage-feed.repository.ts";

const mostAtOnce = 1000;

/** What was counted since a reader's last page, and where the next one begins. */
export interface CountedSince {
  usage: UsageRow[];
  position: number;
}

/**
 * Counts ride on pages of the feed that are sent anyway: they wake nobody and are no entries of their own, so that a
 * record that many look at costs its holders a few bytes every now and then (shared/usage/README.md).
 * @param families in this page: theirs are sent whether or not they changed, since the reader may have them for the
 * first time.
 */
export async function countedSince(
  tx: Tx,
  access: AccessService,
  reader: { caller: Caller; after: number; families: readonly string[] },
): Promise<CountedSince> {
  const { caller, after, families } = reader;
  const changed = await listCounted(tx, caller.userId ?? "", after, mostAtOnce);
  const isCut = changed.length === mostAtOnce;
  // A batch that was counted together has one position: a cut before its last row asks for it again.
  const position = isCut ? Math.max(after + 1, (changed.at(-1)?.seq ?? 0) - 1) : await readUsageHead(tx);
  const usage: UsageRow[] = [];
  for (const row of [...changed, ...(await listCountedOf(tx, families))]) {
    if (await mayKnow(tx, access, caller, row)) usage.push(withoutAccess(row));
  }
  return { usage, position };
}

const withoutAccess = ({ access: _access, ...row }: CountedVersion): UsageRow => row;

async function mayKnow(tx: Tx, access: AccessService, caller: Caller, row: CountedVersion): Promise<boolean> {
  if (row.access === null || JSON.parse(row.access).record === "public") return true;
  return isAtLeast((await access.of(tx, caller, row.parent_id)).level, "view");
}
