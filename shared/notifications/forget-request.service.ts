import type { Tx } from "../database/open.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { deleteOfRequest } from "./notification.repository.ts";

/**
 * What people were told of a request goes with it. A replica leaves that to the server, which has the last word on
 * whether the request goes.
 * @returns what travels to them.
 */
export async function forgetRequest(host: Host, tx: Tx, requestId: string): Promise<ObjectRef[]> {
  if (!host.abilities.notifies) return [];
  return (await deleteOfRequest(tx, requestId)).map((id) => ({ kind: "notification", id }));
}
