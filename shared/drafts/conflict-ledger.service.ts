import type { Tx } from "../database/open.ts";
import type { ConflictRow, DocumentWriterRow, DraftRow } from "../database/schema.ts";
import type { Change } from "../documents/change.ts";
import type { LostValue } from "../documents/conflict.ts";
import { readPath, writePath } from "../documents/path-text.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { requestContext } from "../kernel/request-context.ts";
import {
  deleteConflict,
  findOwner,
  insertConflict,
  listConflicts,
  listWriters,
  upsertWriter,
} from "./conflict.repository.ts";

export interface RecordedEdit {
  lost: readonly LostValue[];
  effect: readonly Change[];
  meant: readonly Change[];
  known?: readonly string[] | undefined;
}

/** Keeps whose value was lost to whose (hosts-and-sync 4 and 8, Conflict entry). */
export interface ConflictLedger {
  /**
   * Notes what an edit lost. Where its author, knowing of it, writes again at a path of which a value of hers was lost,
   * she has chosen: that conflict is settled.
   */
  record(tx: Tx, caller: Caller, draft: DraftRow, edit: RecordedEdit, now: number): Promise<void>;
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((key, index) => path[index] === key);
/** One path leads through the other. */
const isRelated = (a: readonly string[], b: readonly string[]): boolean => startsWith(a, b) || startsWith(b, a);

function lastWriter(writers: readonly DocumentWriterRow[], path: readonly string[]): string | undefined {
  const related = writers.filter((writer) => isRelated(readPath(writer.path), path));
  return related.toSorted((a, b) => b.written - a.written)[0]?.user_id;
}

/** Whether the author of an edit knew of the conflict: what a replica recorded may be older than the conflict. */
function hasSeen(row: ConflictRow, known: readonly string[]): boolean {
  const kind = requestContext.getStore()?.kind;
  return (kind !== "operation" && kind !== "replay") || known.includes(row.id);
}

export function conflictLedger(host: Host): ConflictLedger {
  async function settle(tx: Tx, userId: string, draftId: string, { meant, effect, known = [] }: RecordedEdit) {
    const changes = meant.length > 0 ? meant : effect;
    const own = (await listConflicts(tx, draftId)).filter(({ user_id }) => user_id === userId);
    for (const row of own.filter((one) => hasSeen(one, known))) {
      const path = readPath(row.path);
      if (changes.some((change) => isRelated(change.path, path))) await deleteConflict(tx, row.id);
    }
  }

  async function rowOf(tx: Tx, draft: DraftRow, lost: LostValue, author: string, now: number): Promise<ConflictRow> {
    const writer = lastWriter(await listWriters(tx, draft.id), lost.path);
    const earlier = writer ?? (await findOwner(tx, draft.parent_id)) ?? author;
    return {
      id: host.newUuid(),
      user_id: lost.loser === "author" ? author : earlier,
      parent_id: draft.parent_id,
      draft_id: draft.id,
      path: writePath(lost.path),
      mine: JSON.stringify(lost.mine),
      theirs: JSON.stringify(lost.theirs ?? null),
      theirs_by: lost.loser === "author" ? earlier : author,
      created: now,
    };
  }

  return {
    async record(tx, caller, draft, edit, now) {
      if (caller.userId === null) return;
      const { lost, effect } = edit;
      await settle(tx, caller.userId, draft.id, edit);
      for (const value of lost) await insertConflict(tx, await rowOf(tx, draft, value, caller.userId, now));
      if (host.role === "replica") return;
      for (const { path } of effect) {
        const row = { draft_id: draft.id, path: writePath(path), user_id: caller.userId, written: now };
        await upsertWriter(tx, row);
      }
    },
  };
}
