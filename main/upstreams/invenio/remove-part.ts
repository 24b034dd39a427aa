import type { BundleRow } from "../../../shared/bundles/bundle.schema.ts";
import type { Tx } from "../../../shared/database/open.ts";
import type { Change } from "../../../shared/documents/change.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import type { DraftInput } from "../../../shared/documents/draft-input.ts";
import { readPath, writePath } from "../../../shared/documents/path-text.ts";
import { editDraft } from "../../../shared/drafts/draft.schema.ts";
import { titleOf } from "../../../shared/drafts/draft-store.service.ts";
import type { Json } from "../../../shared/kernel/json.ts";
import { listCompletedFiles } from "../../sync/draft-content.repository.ts";
import { goneReasons } from "../../sync/gone-reasons.ts";
import { insertOperation } from "../../sync/operation.repository.ts";
import type { LeftOver, Snapshot } from "../../sync/snapshot.ts";
import { areRelated, valueAt } from "./echo.policy.ts";
import { contentOfRow, documentIn, rowOf, withoutConflicts, withoutPart } from "./read/family.ts";
import type { Part, Shadow } from "./shadow.repository.ts";
import { hasDiscards } from "./write/journal.repository.ts";

interface Parts {
  /** Microseconds UTC. */
  now(): number;
  newUuid(): string;
  newClientId(): number;
}

/** A draft or record that is gone, in the family as it was. */
interface Gone {
  part: Part;
  id: string;
  state: keyof typeof goneReasons;
  before: Shadow;
}

/** A value of the user that nothing but this computer holds. */
interface OnlyCopy {
  path: string[];
  value: Json;
}

const conflictsOf = ({ bundle }: Shadow): BundleRow[] => bundle.rows.conflict ?? [];

/** Groups of values that do not replace each other, the newest values first. */
function groupsOf(values: readonly OnlyCopy[]): OnlyCopy[][] {
  const groups: OnlyCopy[][] = [];
  for (const value of values) {
    const free = groups.find((group) => !group.some(({ path }) => areRelated(path, value.path)));
    if (free) free.push(value);
    else groups.push([value]);
  }
  return groups;
}

/** Values that the server did not store. The document still has them. */
function notTaken({ before, id }: Gone, after: Shadow, input: Json): OnlyCopy[] {
  const faults = after.faults[id] ? [] : (before.faults[id] ?? []);
  return faults.flatMap(({ field }) => {
    const path = field.split(".");
    const value = valueAt(input, path);
    return value === undefined ? [] : [{ path, value }];
  });
}

/** Values that had lost against others. */
const conflicting = ({ before }: Gone, after: Shadow): OnlyCopy[] =>
  conflictsOf(before)
    .filter((row) => !conflictsOf(after).includes(row))
    .toSorted((one, other) => Number(other.created) - Number(one.created))
    .map(({ path, mine }) => ({ path: readPath(String(path)), value: JSON.parse(String(mine)) }));

/** A document with values put back, the changes that do so, and the values that have no place in it any more. */
async function withValues(parts: Parts, before: Uint8Array, values: readonly OnlyCopy[]) {
  let state = before;
  const changes: Change[] = [];
  const left_over: LeftOver[] = [];
  for (const { path, value } of values) {
    const next = await inDocuments("encodeValue", state, path, value, parts.newClientId());
    changes.push(...(next.update === null ? [{ path, after: value }] : next.changes));
    state = next.state;
    const [placed] = await inDocuments("presentValues", state, [path]);
    if (placed === undefined) left_over.push({ path: writePath(path), mine: value });
  }
  // What the server did not store is there, by its place in a list.
  const input: DraftInput = await inDocuments("inputOf", state);
  const isThere = ({ path }: LeftOver) => valueAt(input as unknown as Json, readPath(path)) !== undefined;
  return { input, changes, left_over: left_over.filter((one) => !isThere(one)) };
}

/** Puts the values that the family does not hold any more into the tray, as rejected edits. */
async function keepOnlyCopies(tx: Tx, parts: Parts, gone: Gone, after: Shadow): Promise<void> {
  const { before, id, state } = gone;
  const row = rowOf(before, "draft", id) ?? rowOf(before, "record", id);
  if (!row) return;
  const document = documentIn(before, id)?.state ?? (await inDocuments("genesis", contentOfRow(row)));
  const known: DraftInput = await inDocuments("inputOf", document);
  const values = [...notTaken(gone, after, known as unknown as Json), ...conflicting(gone, after)];
  const files = await listCompletedFiles(tx, "draft", id);
  for (const group of groupsOf(values)) {
    const { input, changes, left_over } = await withValues(parts, document, group);
    const snapshot: Snapshot = { input, files, ...(left_over.length > 0 ? { left_over } : {}) };
    const wireId = parts.newUuid();
    await insertOperation(tx, {
      id: wireId,
      kind: editDraft.name,
      version: editDraft.version,
      payload: JSON.stringify({ id, epoch: -1, update: "", changes }),
      delivery: "queue",
      object_kind: "draft",
      object_id: id,
      aggregate_kind: "family",
      aggregate_id: before.bundle.id,
      title: `Edit ${titleOf({ metadata: String(row.metadata) })}`,
      blobs: "[]",
      bytes: 0,
      state: "rejected",
      attempts: 0,
      next_attempt: null,
      created: parts.now(),
      applied_seq: null,
      reason: goneReasons[state],
      refused: parts.now(),
      server: null,
      wire_id: wireId,
      snapshot: JSON.stringify(snapshot),
    });
  }
}

/**
 * Takes a draft or record that is gone out of its family. Some of its values may be on this computer alone: conflicts, and
 * what the server did not store. They go to the tray, unless the user discards the draft here.
 */
export async function removePart(tx: Tx, parts: Parts, gone: Gone): Promise<Shadow> {
  const { part, id, before } = gone;
  const rest = withoutPart(before, part, id);
  const isDiscardedHere = part === "draft" && (await hasDiscards(tx, id));
  // A record whose edit is gone still shows the conflicts of that edit.
  const isStillShown = (rowOf(rest, "draft", id) ?? rowOf(rest, "record", id)) !== undefined;
  const after = isStillShown && !isDiscardedHere ? rest : withoutConflicts(rest, (row) => row.draft_id === id);
  if (!isDiscardedHere) await keepOnlyCopies(tx, parts, gone, after);
  return after;
}
