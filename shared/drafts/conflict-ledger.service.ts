import type { Tx } from "../database/open.ts";
import type { ConflictRow, DocumentWriterRow, DraftRow } from "../database/schema.ts";
import type { Change } from "../documents/change.ts";
import type { LostValue } from "../documents/conflict.ts";
import { readPath, writePath } from "../documents/path-text.ts";
import { type Call, isDelayed } from "../kernel/call.ts";
import type { Host } from "../kernel/host.ts";
import { longSliceMs, Slices } from "../kernel/time-slice.ts";
import {
  deleteConflict,
  findOwner,
  insertConflict,
  listConflicts,
  listWriters,
  noteWriters,
} from "./conflict.repository.ts";
import { PathIndex } from "./path-index.ts";

/** So many paths are written before it yields to the event loop. */
const pathsAtOnce = 2000;

export interface RecordedEdit {
  lost: readonly LostValue[];
  effect: readonly Change[];
  intended: readonly Change[];
  known?: readonly string[] | undefined;
  /** Whether the draft may have conflicts. */
  hasConflicts: boolean;
}

/** Stores conflicts: which value lost against which, and whose they are (hosts-and-sync 4 and 8, Conflict entry). */
export interface ConflictLedger {
  /**
   * Records the values that an edit lost. If the author of a lost value, knowing of the conflict, writes at its path
   * again, they have chosen: the conflict is resolved.
   */
  record(tx: Tx, caller: Call, draft: DraftRow, edit: RecordedEdit, now: number): Promise<void>;
}

/** The last writer at a path, or at a path around or below it. */
function lastWriters(writers: readonly DocumentWriterRow[]): PathIndex<DocumentWriterRow> {
  const index = new PathIndex<DocumentWriterRow>((one, other) => one.written > other.written);
  for (const writer of writers) index.add(readPath(writer.path), writer);
  return index;
}

/** Whether an edit resolves a conflict. A replica's edit names those it resolves, since it may be older than others. */
const isChosen = (call: Call, { id }: ConflictRow, known: ReadonlySet<string> | undefined): boolean =>
  known?.has(id) ?? !isDelayed(call);

export function conflictLedger(host: Host): ConflictLedger {
  async function resolveChosen(tx: Tx, call: Call, draftId: string, { intended, effect, known }: RecordedEdit) {
    const named = known && new Set(known);
    const own = (await listConflicts(tx, draftId)).filter(
      (one) => one.user_id === call.userId && isChosen(call, one, named),
    );
    if (own.length === 0) return;
    const changed = new PathIndex<Change>(() => false);
    for (const change of intended.length > 0 ? intended : effect) changed.add(change.path, change);
    for (const row of own) if (changed.related(readPath(row.path))) await deleteConflict(tx, row.id);
  }

  /** The conflict rows for lost values. */
  async function rowsOf(tx: Tx, draft: DraftRow, lost: readonly LostValue[], author: string, now: number) {
    if (lost.length === 0) return [];
    const writers = lastWriters(await listWriters(tx, draft.id));
    const owner = (await findOwner(tx, draft.parent_id)) ?? author;
    return lost.map(({ path, mine, theirs, loser }): ConflictRow => {
      const earlier = writers.related(path)?.user_id ?? owner;
      return {
        id: host.newUuid(),
        user_id: loser === "author" ? author : earlier,
        parent_id: draft.parent_id,
        draft_id: draft.id,
        path: writePath(path),
        mine: JSON.stringify(mine),
        theirs: JSON.stringify(theirs ?? null),
        theirs_by: loser === "author" ? earlier : author,
        created: now,
      };
    });
  }

  return {
    async record(tx, caller, draft, edit, now) {
      if (caller.userId === null) return;
      const { lost, effect } = edit;
      if (edit.hasConflicts) await resolveChosen(tx, caller, draft.id, edit);
      for (const row of await rowsOf(tx, draft, lost, caller.userId, now)) await insertConflict(tx, row);
      if (!host.abilities.merges) return;
      const slices = new Slices(longSliceMs);
      const paths = [...new Set(effect.map(({ path }) => writePath(path)))];
      for (let at = 0; at < paths.length; at += pathsAtOnce) {
        await slices.next();
        await noteWriters(tx, draft.id, paths.slice(at, at + pathsAtOnce), caller.userId, now);
      }
    },
  };
}
