import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { type FoundObject, listChanged } from "../../shared/live-events/changed-objects.repository.ts";
import type { WindowEvents } from "../sync/window-events.ts";

/** Tells the open windows which objects sync has changed. */
export async function announceChanges(
  events: WindowEvents,
  db: Db,
  refs: ObjectRef[],
  before: FoundObject[],
): Promise<void> {
  events.announceStatus();
  const found = [...(await listChanged(db, refs)), ...before];
  events.sendChanges([...new Map(found.map((object) => [`${object.kind}:${object.id}`, object])).values()]);
}
