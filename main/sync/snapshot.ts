import type { Tx } from "../../shared/database/open.ts";
import type { Change } from "../../shared/documents/change.ts";
import { inDocuments } from "../../shared/documents/document-thread.ts";
import type { DraftInput } from "../../shared/documents/draft-input.ts";
import { type EditDraft, editDraft } from "../../shared/drafts/draft.schema.ts";
import { inputOfRecord } from "../../shared/drafts/edit-published.service.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { findDraftContent, findPublished, listCompletedFiles } from "./draft-content.repository.ts";
import { listOverlay, listUnsentOn, type Operation, updateOperation } from "./operation.repository.ts";

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

interface Meant {
  changes: Change[];
  later: string[][];
}

const changesOf = ({ kind, payload }: Operation): Change[] =>
  kind === editDraft.name ? (JSON.parse(payload) as EditDraft).changes : [];

/** What an edit changed, and where its author set something anew afterwards. */
async function meantBy(tx: Tx, operation: Operation): Promise<Meant> {
  const changes = changesOf(operation);
  if (changes.length === 0) return { changes, later: [] };
  const ref = { kind: operation.aggregate_kind, id: operation.aggregate_id } as ObjectRef;
  const after = (await listOverlay(tx, ref)).filter(({ position }) => position > operation.position);
  return { changes, later: after.flatMap(changesOf).map(({ path }) => path) };
}

/** A draft as it stands here, or what it was published as; null for other objects. */
export async function snapshotOf(
  tx: Tx,
  object: Pick<Operation, "object_kind" | "object_id">,
  { changes, later }: Meant = { changes: [], later: [] },
): Promise<string | null> {
  if (object.object_kind !== "draft") return null;
  const id = object.object_id;
  const document = await findDraftContent(tx, id);
  const published = document ? undefined : await findPublished(tx, id);
  const input = document
    ? await inDocuments("inputMeant", document.state, changes, later)
    : published && inputOfRecord(published);
  if (!input) return null;
  const snapshot: Snapshot = { input, files: await listCompletedFiles(tx, document ? "draft" : "record", id) };
  return JSON.stringify(snapshot);
}

/**
 * The draft that an operation is about, as it stands here with the operation's effect; null for other objects. An edit that
 * lost to what others did meanwhile is in it all the same: nobody else will keep it now (hosts-and-sync 4).
 */
export const takeSnapshot = async (tx: Tx, operation: Operation): Promise<string | null> =>
  operation.snapshot ?? (await snapshotOf(tx, operation, await meantBy(tx, operation)));

/**
 * Before a person discards a draft: what she sees of it is kept beside her unsent work on it. The discard may not stand, or
 * may be given up when both were refused.
 */
export async function keepUnsent(tx: Tx, draftId: string): Promise<void> {
  for (const operation of await listUnsentOn(tx, draftId))
    await updateOperation(tx, operation.id, { snapshot: await takeSnapshot(tx, operation) });
}
