import type { Tx } from "../../shared/database/open.ts";
import type { Change } from "../../shared/documents/change.ts";
import { inDocuments } from "../../shared/documents/document-thread.ts";
import type { DraftInput } from "../../shared/documents/draft-input.ts";
import { discardDraft, type EditDraft, editDraft } from "../../shared/drafts/draft.schema.ts";
import { inputOfRecord } from "../../shared/drafts/edit-published.service.ts";
import type { Json } from "../../shared/kernel/json.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { findDraftContent, findPublished, listCompletedFiles } from "./draft-content.repository.ts";
import { listOverlay, listUnsentOn, type Operation, updateOperation } from "./operation.repository.ts";

/** A file of a draft, its known digests and what its user said about it. */
export interface SnapshotFile {
  key: string;
  sha256: string;
  md5: string;
  size: number;
  metadata?: Record<string, unknown>;
  hidden?: boolean;
}

/** A value whose place in the draft is gone. */
export interface LeftOver {
  /** As the path of a conflict. */
  path: string;
  mine: Json;
}

/** A draft as the user saw it when an operation on it was refused. */
export interface Snapshot {
  input: DraftInput;
  files: SnapshotFile[];
  /** Values of the user whose place the draft has no more, such as the role of a creator that somebody removed. */
  left_over?: LeftOver[];
}

interface Intent {
  changes: Change[];
  later: string[][];
}

const changesOf = ({ kind, payload }: Operation): Change[] =>
  kind === editDraft.name ? (JSON.parse(payload) as EditDraft).changes : [];

/** The changes of an edit, and the paths that its author changed again afterwards. */
async function intentOf(tx: Tx, operation: Operation): Promise<Intent> {
  const changes = changesOf(operation);
  if (changes.length === 0) return { changes, later: [] };
  const ref = { kind: operation.aggregate_kind, id: operation.aggregate_id } as ObjectRef;
  const after = (await listOverlay(tx, ref)).filter(({ position }) => position > operation.position);
  return { changes, later: after.flatMap(changesOf).map(({ path }) => path) };
}

/** The current content of a draft, or the record that it was published as; null for other objects. */
export async function snapshotOf(
  tx: Tx,
  object: Pick<Operation, "object_kind" | "object_id">,
  { changes, later }: Intent = { changes: [], later: [] },
): Promise<string | null> {
  if (object.object_kind !== "draft") return null;
  const id = object.object_id;
  const document = await findDraftContent(tx, id);
  const published = document ? undefined : await findPublished(tx, id);
  const input = document
    ? await inDocuments("intendedInput", document.state, changes, later)
    : published && inputOfRecord(published);
  if (!input) return null;
  const snapshot: Snapshot = { input, files: await listCompletedFiles(tx, document ? "draft" : "record", id) };
  return JSON.stringify(snapshot);
}

/**
 * The draft of an operation with the operation's effect; null for other objects, and for a discard, which has nothing to
 * keep. It contains the edit even if that lost a conflict, because no other copy of the edit exists (hosts-and-sync 4).
 */
export const takeSnapshot = async (tx: Tx, operation: Operation): Promise<string | null> =>
  operation.kind === discardDraft.name
    ? null
    : (operation.snapshot ?? (await snapshotOf(tx, operation, await intentOf(tx, operation))));

/**
 * Stores snapshots for the unsent operations on a draft before the user discards it. The server may refuse the discard.
 * @returns the draft as the user sees it.
 */
export async function keepUnsent(tx: Tx, draftId: string): Promise<string | null> {
  for (const operation of await listUnsentOn(tx, draftId))
    await updateOperation(tx, operation.id, { snapshot: await takeSnapshot(tx, operation) });
  return snapshotOf(tx, { object_kind: "draft", object_id: draftId });
}
