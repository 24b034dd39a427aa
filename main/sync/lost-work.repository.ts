import { sql } from "kysely";
import type { Tx } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { type Operation, updateOperation } from "./operation.repository.ts";

/** A refusal is final after so many attempts, so that a busy object does not cause an attempt for each change. */
const mostAttempts = 20;

/** Marks a delivered operation that waits for what it changes. */
const awaits = "What this changes is not on the server.";

/**
 * The server does not have what an operation removes or renames. There is nothing to decide for the user, so the
 * operation counts as delivered until its object changes.
 */
export const waitForOthers = (tx: Tx, { id, created, delivered, delivered_here }: Operation) => {
  const since = { delivered: delivered ?? created, delivered_here: delivered_here ?? created };
  return updateOperation(tx, id, { state: "delivered", reason: awaits, ...since });
};

/**
 * Work that needs lost work of other people, and that a restored server lost or never had and refused. It is sent once
 * more when its object comes or changes. The server keeps a refusal under its id, so it gets a new one.
 */
export async function retryLostWork(tx: Tx, refs: readonly ObjectRef[], newUuid: () => string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from operation
    where (state = 'rejected' and delivered is not null or state = 'delivered' and reason = ${awaits})
    and attempts < ${mostAttempts}
    and (aggregate_kind, aggregate_id) in (
      select value ->> 'kind', value ->> 'id' from json_each(${JSON.stringify(refs)}))`.execute(tx);
  const change = { state: "pending", reason: null, refused: null, server: null } as const;
  for (const { id } of rows)
    await tx
      .updateTable("operation")
      .set({ ...change, wire_id: newUuid() })
      .where("id", "=", id)
      .execute();
}
