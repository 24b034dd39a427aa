import type { Tx } from "../../shared/database/open.ts";
import type { WriteResult } from "../../shared/kernel/host.ts";
import { deleteOperations, findUntried, listWaitingFrom, updateOperation } from "../sync/operation.repository.ts";

/**
 * Rewrites the unsent operation that created the object, and drops the later ones on it.
 * @returns the id of the operation; undefined if an attempt to send it was made.
 */
export async function rewriteUnsent<R>(
  tx: Tx,
  { object, title }: WriteResult<R>,
  { command, payload }: NonNullable<WriteResult<R>["unsentRewrite"]>,
): Promise<string | undefined> {
  const operation = await findUntried(tx, command, object);
  if (!operation) return undefined;
  const later = (await listWaitingFrom(tx, operation)).map(({ id }) => id).filter((id) => id !== operation.id);
  await deleteOperations(tx, later);
  const rewritten = JSON.stringify(payload(JSON.parse(operation.payload)));
  // The rewritten operation needs no bytes.
  await updateOperation(tx, operation.id, { payload: rewritten, title, blobs: "[]", bytes: 0 });
  return operation.id;
}

/** Withdraws an operation that was never sent, and the later ones on its object. @returns whether there was one. */
export async function withdrawUnsent(tx: Tx, object: { kind: string; id: string }, command: string): Promise<boolean> {
  const operation = await findUntried(tx, command, object);
  if (!operation) return false;
  const waiting = await listWaitingFrom(tx, operation);
  await deleteOperations(
    tx,
    waiting.map(({ id }) => id),
  );
  return true;
}
