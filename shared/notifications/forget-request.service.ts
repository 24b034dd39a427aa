import type { Tx } from "../database/open.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { deleteOfRequest } from "./notification.repository.ts";

/**
 * Deletes the notifications about a deleted request. Only the server does so, because it decides whether the request is
 * deleted.
 * @returns the deleted notifications, for the feed.
 */
export async function forgetRequest(host: Host, tx: Tx, requestId: string): Promise<ObjectRef[]> {
  if (!host.abilities.notifies) return [];
  return (await deleteOfRequest(tx, requestId)).map((id) => ({ kind: "notification", id }));
}
