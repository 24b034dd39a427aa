import type { AccessService } from "../access/access.service.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import { genesis } from "../documents/genesis.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, unknownPid } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type Written } from "../kernel/host.ts";
import { findDraft, findRecord } from "../records/record.repository.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import { insertDocument, insertDraft } from "./draft.repository.ts";
import { type DraftId, editPublished } from "./draft.schema.ts";
import { titleOf } from "./draft-store.service.ts";

export interface EditPublishedService {
  /**
   * Starts the edit draft of a published record; one that is there already is left as it is (records 3.1).
   * @throws Failure 404 when nothing is published under the id and there is no draft, 403, 403 deleted.
   */
  start(caller: Caller, command: DraftId): Promise<DraftId>;
  commands: CommandHandler[];
}

/** What a published record says, as a document holds it: the same text wherever it is made from one revision. */
const inputOfRecord = (record: RecordRow) => ({
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

function draftOf(record: RecordRow, now: number): DraftRow {
  const { is_latest: _isLatest, tombstone: _tombstone, ...content } = record;
  return {
    ...content,
    updated: now,
    expires_at: now + draftLifeMicros,
    // The counter goes on where the record stands (records 1.4).
    revision_id: record.revision_id + 1,
    is_edit: 1,
    request_id: null,
  };
}

export function editPublishedService({ host, access }: { host: Host; access: AccessService }): EditPublishedService {
  async function start(caller: Caller, command: DraftId): Promise<DraftId> {
    return host.write(caller, editPublished, command, async (tx, { now }): Promise<Written<DraftId>> => {
      const { id } = command;
      const record = await findRecord(tx, id);
      const draft = await findDraft(tx, id);
      const known = record ?? draft;
      if (!known) throw unknownPid();
      await access.require(tx, caller, known.parent_id, "edit");
      if (record && record.tombstone !== null) throw forbidden();
      const object = { kind: "draft", id };
      if (draft || !record) return { result: { id }, touched: [], object, title: `Edit ${titleOf(known)}` };
      await insertDraft(tx, draftOf(record, now));
      // The epoch tells the documents of one id apart: its edits never mix with those of an earlier draft.
      const state = genesis(inputOfRecord(record));
      await insertDocument(tx, { draft_id: id, parent_id: record.parent_id, epoch: record.revision_id + 1, state });
      const touched = [{ kind: "family" as const, id: record.parent_id }];
      return { result: { id }, touched, object, title: `Start editing ${titleOf(record)}` };
    });
  }

  return { start, commands: [handles(editPublished, start)] };
}
