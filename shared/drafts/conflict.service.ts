import type { Db } from "../database/open.ts";
import type { ConflictRow, DocumentRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { readPath } from "../documents/path-text.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { Json } from "../kernel/json.ts";
import { Slices } from "../kernel/time-slice.ts";
import { findRecord } from "../records/record.reader.ts";
import { deleteConflict, findConflict, listConflictsOf } from "./conflict.repository.ts";
import { findDocument } from "./draft.repository.ts";
import { type ResolveConflict, resolveConflict } from "./draft.schema.ts";
import type { DraftEditService } from "./draft-edit.service.ts";
import { inputOfRecord } from "./edit-published.service.ts";

/** A conflict with the present value. */
export interface OpenConflict {
  row: ConflictRow;
  theirs: Json;
}

/** Lost values, until their author chooses (hosts-and-sync 5, 8). */
export interface ConflictService {
  /** The caller's conflicts, newest first. */
  list(caller: Caller): Promise<OpenConflict[]>;
  /** @throws Failure 404 for an unknown conflict or another user's. */
  find(caller: Caller, id: string): Promise<OpenConflict>;
  /**
   * Restores the lost value (`mine`), or discards it (`theirs`).
   * @throws Failure 404 for an unknown conflict or another user's, 403, 409 when the item around the value was removed.
   */
  choose(caller: Caller, id: string, side: "mine" | "theirs"): Promise<OpenConflict>;
  commands: CommandHandler[];
}

const presentAt = async (state: Uint8Array, path: string[]): Promise<Json | undefined> =>
  (await inDocuments("presentValues", state, [path]))[0];

interface Services {
  host: Host;
  edits: DraftEditService;
}

export function conflictService({ host, edits }: Services): ConflictService {
  async function own(db: Db, caller: Caller, id: string): Promise<ConflictRow> {
    const row = await findConflict(db, id);
    if (!row || row.user_id !== caller.userId) throw notFound();
    return row;
  }

  /** The draft of a conflict; after publishing, the record, for which choosing starts an edit. */
  async function subject(row: ConflictRow): Promise<Pick<DocumentRow, "state" | "epoch"> | undefined> {
    const document = await findDocument(host.db, row.draft_id);
    const record = document ? undefined : await findRecord(host.db, row.draft_id);
    if (!record) return document;
    return { state: await inDocuments("genesis", inputOfRecord(record)), epoch: -record.revision_id };
  }

  /** @param rows of one draft, whose document is then opened once. */
  async function openAll(rows: readonly ConflictRow[]): Promise<OpenConflict[]> {
    const document = rows[0] && (await subject(rows[0]));
    const paths = rows.map(({ path }) => readPath(path));
    const present = document ? await inDocuments("presentValues", document.state, paths) : [];
    return rows.map((row, index) => ({ row, theirs: present[index] ?? null }));
  }

  async function open(row: ConflictRow): Promise<OpenConflict> {
    const [opened] = await openAll([row]);
    return opened ?? { row, theirs: null };
  }

  async function resolve(caller: Caller, command: ResolveConflict): Promise<{ id: string }> {
    return host.write(caller, resolveConflict, command, async (tx): Promise<WriteResult<{ id: string }>> => {
      const row = await findConflict(tx, command.id);
      const common = { result: { id: command.id }, object: { kind: "draft", id: command.draftId } };
      const title = "Resolve a conflict in a draft";
      // Resolved already, perhaps on another computer of the same user.
      if (!row || row.user_id !== caller.userId) return { ...common, touched: [], title };
      await deleteConflict(tx, row.id);
      return { ...common, touched: [{ kind: "family", id: row.parent_id }], title };
    });
  }

  /** Restores the lost value by an edit at its path, which also resolves the conflict. */
  async function restore(caller: Caller, row: ConflictRow): Promise<void> {
    const document = await subject(row);
    if (!document) throw notFound();
    const value: Json = JSON.parse(row.mine);
    const path = readPath(row.path);
    const { update, changes } = await inDocuments("encodeValue", document.state, path, value, host.newClientId());
    if (update === null) {
      const isNowhere = value !== null && (await presentAt(document.state, path)) === undefined;
      if (isNowhere) throw new Failure("conflict", "The entry it belongs to was removed: it has no place any more.");
      return;
    }
    const { draft_id: id } = row;
    const sent = { epoch: document.epoch, update: Buffer.from(update).toString("base64"), changes };
    await edits.edit(caller, { id, ...sent, known: [row.id] });
  }

  return {
    async list(caller) {
      if (caller.userId === null) return [];
      const rows = await listConflictsOf(host.db, caller.userId);
      const slices = new Slices();
      const opened = new Map<ConflictRow, OpenConflict>();
      for (const ofDraft of Map.groupBy(rows, (row) => row.draft_id).values()) {
        for (const conflict of await openAll(ofDraft)) opened.set(conflict.row, conflict);
        await slices.next();
      }
      return rows.flatMap((row) => opened.get(row) ?? []);
    },
    find: async (caller, id) => open(await own(host.db, caller, id)),
    async choose(caller, id, side) {
      const row = await own(host.db, caller, id);
      const before = await open(row);
      if (side === "mine") await restore(caller, row);
      if (await findConflict(host.db, id)) await resolve(caller, { id, draftId: row.draft_id });
      return side === "mine" ? open(row) : before;
    },
    commands: [handles(resolveConflict, resolve)],
  };
}
