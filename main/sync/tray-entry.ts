import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import { reasonNow } from "./gone-reasons.ts";
import { objectOf } from "./operation.presenter.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * The refused operation with its title, and with the draft's content as the user saw it, to compare with the server's.
 * `left_over` are values that the content has no place for.
 */
function operationOf(row: Selectable<OperationRow>): Record<string, unknown> & { content?: Snapshot["input"] } {
  const snapshot: Snapshot | null = row.snapshot === null ? null : JSON.parse(row.snapshot);
  const { input: content, left_over } = snapshot ?? {};
  const shown = { ...(content ? { content } : {}), ...(left_over ? { left_over } : {}) };
  return { ...JSON.parse(row.payload), title: row.title, ...shown };
}

/**
 * The title of the object: as the user saw it, else the server's, else of the record that an untitled request is about,
 * else quoted in the operation's title.
 */
function titleOf(row: Selectable<OperationRow>, server: unknown, topic: unknown): string {
  const snapshot: Snapshot | null = row.snapshot === null ? null : JSON.parse(row.snapshot);
  const body = (server ?? {}) as { title?: unknown; metadata?: { title?: unknown } };
  const quoted = /“(.*)”/s.exec(row.title)?.[1];
  const found = [snapshot?.input.metadata.title, body.metadata?.title, body.title, topic, quoted];
  return found.find((title): title is string => typeof title === "string" && title.trim() !== "") ?? row.title;
}

/**
 * A rejected operation (hosts-and-sync 8, Tray entry).
 * @param server the object's current body on the server, null if it is gone.
 * @param isHere whether that is a body, and not the refusal.
 * @param isFileRemoved whether the file that it is about is not in the draft any more.
 * @param topic the title of the record that an untitled request is about.
 */
export const presentTrayEntry = (
  row: Selectable<OperationRow>,
  server: unknown,
  { isHere, isFileRemoved, topic }: { isHere: boolean; isFileRemoved: boolean; topic: unknown },
) => ({
  id: row.id,
  kind: row.kind,
  object: { ...objectOf(row), title: titleOf(row, server, topic) },
  created: isoTime(row.created),
  refused: isoTime(row.refused ?? row.created),
  reason: reasonNow(row, { isHere, isFileRemoved }) ?? "",
  // Otherwise it has the keys of the contract alone.
  ...(isFileRemoved ? { can_retry: false } : {}),
  operation: operationOf(row),
  server,
});
