import type { Tx } from "../database/open.ts";
import type { RecordRow } from "../database/schema.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { UserService } from "../users/user.service.ts";
import { orderMail } from "./mail-order.service.ts";
import { insertNotification } from "./notification.repository.ts";

/** The payload of a mail job to the owner of a deleted record. */
export interface RemovalOrder {
  trigger: "record_deleted";
  recordId: string;
  userId: string;
  actorId: string;
}
export const isRemovalOrder = (order: object): order is RemovalOrder => "recordId" in order;

interface Removal {
  record: RecordRow;
  ownerId: string;
  /** Null: the system. */
  actorId: string | null;
  now: number;
}

/** Notifies the owner of a record that somebody else deleted. @returns the new rows, for the feed. */
export async function notifyOwner(
  { host, users }: { host: Host; users: Pick<UserService, "find"> },
  tx: Tx,
  { record, ownerId, actorId, now }: Removal,
): Promise<ObjectRef[]> {
  if (!host.abilities.notifies || actorId === null || ownerId === actorId) return [];
  if (!(await users.find(tx, ownerId))?.active) return [];
  const kind = "record_deleted";
  const order: RemovalOrder = { trigger: kind, recordId: record.id, userId: ownerId, actorId };
  if (host.settings.smtp) await orderMail(tx, host, order, ownerId);
  const id = host.newUuid();
  const about = { request_id: record.id, comment_id: null, title: JSON.parse(record.expanded).title ?? "" };
  await insertNotification(tx, { id, user_id: ownerId, kind, ...about, actor_id: actorId, created: now, is_read: 0 });
  return [{ kind: "notification", id }];
}
