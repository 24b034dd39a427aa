import type { AccessService } from "../access/access.service.ts";
import { firstRevision } from "../database/last-revision.ts";
import type { Tx } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, recordDeleted, unknownPid } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import { findRecord } from "../records/record.reader.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import { findDraft } from "./draft.reader.ts";
import { type DraftId, editPublished } from "./draft.schema.ts";
import { type DraftStore, familyOfDraft, titleOf } from "./draft-store.service.ts";

export interface EditPublishedService {
  /**
   * Starts the edit draft of a published record; an existing one is left unchanged (records 3.1).
   * @throws Failure 404 when the id has neither a record nor a draft, 403, also for a deleted record.
   */
  start(caller: Caller, command: DraftId): Promise<DraftId>;
  /** As `start`, inside another write, for a record without a draft. */
  startWithin(tx: Tx, record: RecordRow, now: number): Promise<DraftRow>;
  commands: CommandHandler[];
}

/** The content of a published record for a document. Equal on all hosts for one revision. */
export const inputOfRecord = (record: RecordRow) => ({
  metadata: JSON.parse(record.metadata),
  custom_fields: JSON.parse(record.custom_fields),
  access: JSON.parse(record.access),
  pids: JSON.parse(record.pids),
  files: {
    enabled: record.files_enabled === 1,
    default_preview: record.default_preview,
    order: JSON.parse(record.file_order),
  },
});

function draftOf(record: RecordRow, revision_id: number, now: number): DraftRow {
  const { is_latest: _isLatest, tombstone: _tombstone, ...content } = record;
  return {
    ...content,
    updated: now,
    expires_at: now + draftLifeMicros,
    revision_id,
    is_edit: 1,
    request_id: null,
  };
}

export interface FamilyServices {
  host: Host;
  access: AccessService;
  store: DraftStore;
}

export function editPublishedService({ host, access, store }: FamilyServices): EditPublishedService {
  async function startWithin(tx: Tx, record: RecordRow, now: number): Promise<DraftRow> {
    // The revision counter continues from the record's, or from that of a discarded edit draft (records 1.4).
    const first = host.abilities.numbersRevisions ? await firstRevision(tx, "draft", record.id) : 0;
    const draft = draftOf(record, Math.max(record.revision_id + 1, first), now);
    // The epoch distinguishes the documents of one id, so that edits of an earlier draft never mix in. All hosts count it
    // from the record.
    const state = await inDocuments("genesis", inputOfRecord(record));
    await store.insert(tx, draft, { epoch: record.revision_id + 1, state });
    return draft;
  }

  async function start(caller: Caller, command: DraftId): Promise<DraftId> {
    return host.write(caller, editPublished, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      const { id } = command;
      const record = await findRecord(tx, id);
      const draft = await findDraft(tx, id);
      const known = record ?? draft;
      if (!known) throw unknownPid();
      await access.require(tx, caller, known.parent_id, "edit");
      if (record && record.tombstone !== null) throw isDelayed(caller) ? recordDeleted() : forbidden();
      const object = { kind: "draft", id };
      if (draft || !record) return { result: { id }, touched: [], object, title: `Edit ${titleOf(known)}` };
      await startWithin(tx, record, now);
      const touched = [familyOfDraft(record.parent_id)];
      return { result: { id }, touched, object, title: `Start editing ${titleOf(record)}` };
    });
  }

  return { start, startWithin, commands: [handles(editPublished, start)] };
}
