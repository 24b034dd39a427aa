import type { Selectable } from "kysely";
import type { OperationRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import { objectOf } from "./operation.presenter.ts";
import type { Snapshot } from "./snapshot.ts";

/** What was asked, `title` in words; of a draft with the content that the person saw, to lay beside what the server has. */
function operationOf(row: Selectable<OperationRow>): Record<string, unknown> {
  const snapshot: Snapshot | null = row.snapshot === null ? null : JSON.parse(row.snapshot);
  return { ...JSON.parse(row.payload), title: row.title, ...(snapshot ? { content: snapshot.input } : {}) };
}

/** The title of the object: as the person saw it, else as the server has it, else as the operation's words quote it. */
function titleOf(row: Selectable<OperationRow>, server: unknown): string {
  const snapshot: Snapshot | null = row.snapshot === null ? null : JSON.parse(row.snapshot);
  const body = (server ?? {}) as { title?: unknown; metadata?: { title?: unknown } };
  const found = [snapshot?.input.metadata.title, body.metadata?.title, body.title, /“(.*)”/s.exec(row.title)?.[1]];
  return found.find((title): title is string => typeof title === "string") ?? row.title;
}

/**
 * Refused work as its person sees it (hosts-and-sync 8, Tray entry).
 * @param server the body of the object as the server has it now, null when it is gone.
 */
export const presentTrayEntry = (row: Selectable<OperationRow>, server: unknown) => ({
  id: row.id,
  kind: row.kind,
  object: { ...objectOf(row), title: titleOf(row, server) },
  created: isoTime(row.created),
  refused: isoTime(row.refused ?? row.created),
  reason: row.reason ?? "",
  operation: operationOf(row),
  server,
});
