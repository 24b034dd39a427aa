import { z } from "zod";
import type { Db } from "../../shared/database/open.ts";
import { countLeasedIds, insertLeasedIds } from "../replica/lease.repository.ts";
import { bodyOf, type Transport } from "./transport.ts";

const fewest = 16;
const full = 64;
const leaseAnswer = z.object({ ids: z.array(z.string()) });

/** Keeps record ids in store for work without a network (design, sync 1.5). */
export async function topUpLeases(db: Db, transport: Transport, now: number): Promise<void> {
  const held = await countLeasedIds(db);
  if (held >= fewest) return;
  const answer = await transport.call("POST", "/api/sync/leases", { count: full - held });
  await insertLeasedIds(db, leaseAnswer.parse(bodyOf(answer)).ids, now);
}
