import type { Tx } from "../../shared/database/open.ts";
import type { Written } from "../../shared/kernel/host.ts";
import { deleteOperations, findUntried, listWaitingFrom, updateOperation } from "../sync/operation.repository.ts";

/**
 * Rewrites the unsent operation that created the object, and drops the later ones on it.
 * @returns the id of the operation; undefined if an attempt to send it was made.
 */
export async function sayInstead<R>(
  tx: Tx,
  { object, title }: Written<R>,
  { command, payload }: NonNullable<Written<R>["unsaid"]>,
): Promise<string | undefined> {
  const made = await findUntried(tx, command, object);
  if (!made) return undefined;
  const later = (await listWaitingFrom(tx, made)).map(({ id }) => id).filter((id) => id !== made.id);
  await deleteOperations(tx, later);
  await updateOperation(tx, made.id, { payload: JSON.stringify(payload(JSON.parse(made.payload))), title });
  return made.id;
}

/** Withdraws an operation that was never sent, and the later ones on its object. @returns whether there was one. */
export async function takeBack(tx: Tx, object: { kind: string; id: string }, command: string): Promise<boolean> {
  const wish = await findUntried(tx, command, object);
  if (!wish) return false;
  const waiting = await listWaitingFrom(tx, wish);
  await deleteOperations(
    tx,
    waiting.map(({ id }) => id),
  );
  return true;
}
