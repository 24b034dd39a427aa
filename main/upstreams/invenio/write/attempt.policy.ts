import { editDraft } from "../../../../shared/drafts/draft.schema.ts";
import { deleteAllFiles, deleteFile } from "../../../../shared/files/file.schema.ts";

const second = 1_000_000;

/** When the effect of a call without an answer is looked for, after it was sent. */
const looksAt = [5, 15, 45, 120, 300].map((seconds) => seconds * second);
/** Somebody waits for the answer to a comment. */
const commentLooksAt = [3, 10, 30, 90, 300].map((seconds) => seconds * second);
/** A gateway's time-out may still publish minutes later. */
const publishLooksAt = [10, 30, 90, 300, 900].map((seconds) => seconds * second);

/** @returns the time of the next look; undefined after the last one. Times in microseconds. */
export function nextLookOf(step: string, sent: number, looks: number): number | undefined {
  const times = new Map([
    ["publish", publishLooksAt],
    ["comment", commentLooksAt],
  ]);
  const at = (times.get(step) ?? looksAt)[looks];
  return at === undefined ? undefined : sent + at;
}

const prefix = "carrel:";

/** The version text that a new draft carries between two calls, so that it is recognised. It is never published. */
export const markerOf = (operationId: string): string => prefix + operationId;

/** The operation that a draft with such a version text comes from. */
export const operationIn = (version: unknown): string | undefined =>
  typeof version === "string" && version.startsWith(prefix) ? version.slice(prefix.length) : undefined;

/** A removal waits, so that the user can undo it: the server keeps nothing of a removed file. */
const removalMicros = 10 * second;

/** An edit waits until the user pauses, so that one call saves several. */
const [quietMicros, maxMicros] = [3 * second, 10 * second];

/** When an operation is sent. @param last when the user last changed the same draft */
export function dueOf({ kind, created, last }: { kind: string; created: number; last: number }, now: number): number {
  // The clock was set back since.
  if (created > now) return now;
  if (kind === editDraft.name) return Math.min(last + quietMicros, created + maxMicros);
  return kind === deleteFile.name || kind === deleteAllFiles.name ? created + removalMicros : now;
}
