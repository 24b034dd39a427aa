import type { Tx } from "../../shared/database/open.ts";
import { type Change, idOf } from "../../shared/documents/change.ts";
import type { DraftInput } from "../../shared/documents/draft-input.ts";
import { inputWithGone } from "../../shared/documents/merge.ts";
import { type EditDraft, editDraft } from "../../shared/drafts/draft.schema.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { findDraftContent, listCompletedFiles } from "./draft-content.repository.ts";
import { listOverlay, type Operation } from "./operation.repository.ts";

/** A file of a draft as its bytes are known here. */
export interface SnapshotFile {
  key: string;
  sha256: string;
  md5: string;
  size: number;
}

/** What a person saw of a draft when work on it was refused. */
export interface Snapshot {
  input: DraftInput;
  files: SnapshotFile[];
}

const changesOf = ({ kind, payload }: Operation): Change[] =>
  kind === editDraft.name ? (JSON.parse(payload) as EditDraft).changes : [];

/** What an edit changed, except in items that the person took out herself. */
async function changesMeant(tx: Tx, operation: Operation): Promise<Change[]> {
  const changes = changesOf(operation);
  if (changes.length === 0) return changes;
  const ref = { kind: operation.aggregate_kind, id: operation.aggregate_id } as ObjectRef;
  const removed = (await listOverlay(tx, ref)).flatMap(changesOf).filter(({ after }) => after === undefined);
  const taken = new Set(removed.map(({ path }) => idOf(path)));
  return changes.filter(({ path }) => !path.some((_, index) => taken.has(idOf(path.slice(0, index + 1)))));
}

/** A draft as it stands here; null for other objects. */
export async function snapshotOf(
  tx: Tx,
  object: Pick<Operation, "object_kind" | "object_id">,
  changes: readonly Change[] = [],
): Promise<string | null> {
  if (object.object_kind !== "draft") return null;
  const document = await findDraftContent(tx, object.object_id);
  if (!document) return null;
  const files = await listCompletedFiles(tx, object.object_id);
  const snapshot: Snapshot = { input: inputWithGone(document.state, changes), files };
  return JSON.stringify(snapshot);
}

/**
 * The draft that an operation is about, as it stands here with the operation's effect; null for other objects. An item that
 * was removed elsewhere while it was edited here is in it: nobody else will keep that edit now (hosts-and-sync 4).
 */
export const takeSnapshot = async (tx: Tx, operation: Operation): Promise<string | null> =>
  operation.snapshot ?? (await snapshotOf(tx, operation, await changesMeant(tx, operation)));
