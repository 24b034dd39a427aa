import { z } from "zod";
import type { Db } from "../../../shared/database/open.ts";
import { isRecordId } from "../../../shared/kernel/record-id.ts";
import { countLeasedIds, insertLeasedIds, listIdsInUse } from "../../replica/lease.repository.ts";
import { bodyOf, type Transport } from "../../sync/transport.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";

const minLeases = 16;
const maxLeases = 64;
const leaseAnswer = z.object({ ids: z.array(z.string().refine(isRecordId)).max(maxLeases) });

/**
 * Keeps leased record ids for offline work (design, sync 1.5). Ids already used here are dropped, whatever the server
 * says.
 */
export async function topUpLeases(db: Db, transport: Transport, now: number): Promise<void> {
  const held = await countLeasedIds(db);
  if (held >= minLeases) return;
  const answer = await transport.call("POST", "/api/sync/leases", { count: maxLeases - held });
  const { ids } = validateAnswer(leaseAnswer, bodyOf(answer));
  const inUse = await listIdsInUse(db, ids);
  const free = [...new Set(ids)].filter((id) => !inUse.has(id));
  if (free.length > 0) await insertLeasedIds(db, free, now);
}
