import type { Tx } from "../../shared/database/open.ts";
import type { DraftInput } from "../../shared/documents/draft-input.ts";
import { inputOf } from "../../shared/documents/merge.ts";
import { findDraftContent, listCompletedFiles } from "./draft-content.repository.ts";
import type { Operation } from "./operation.repository.ts";

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

/** The draft that an operation is about, as it stands here with the operation's effect; null for other objects. */
export async function takeSnapshot(
  tx: Tx,
  operation: Pick<Operation, "snapshot" | "object_kind" | "object_id">,
): Promise<string | null> {
  if (operation.snapshot !== null) return operation.snapshot;
  if (operation.object_kind !== "draft") return null;
  const document = await findDraftContent(tx, operation.object_id);
  if (!document) return null;
  const files = await listCompletedFiles(tx, operation.object_id);
  const snapshot: Snapshot = { input: inputOf(document.state), files };
  return JSON.stringify(snapshot);
}
