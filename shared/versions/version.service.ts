import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { draftLifeMicros } from "../drafts/draft.lifecycle.ts";
import { findDraft, findNextDraft } from "../drafts/draft.reader.ts";
import { type DraftId, type NewVersion, newVersion } from "../drafts/draft.schema.ts";
import { assertFreeIds, assertRecordIds, titleOf } from "../drafts/draft-store.service.ts";
import type { FamilyServices } from "../drafts/edit-published.service.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, notFound, recordDeleted, unknownPid } from "../kernel/failure.ts";
import { type CommandHandler, handles, type WriteResult } from "../kernel/host.ts";
import { findLatestRecord, findRecord } from "../records/record.reader.ts";
import { findHighestIndex, insertAlias } from "./version.repository.ts";

export interface VersionService {
  /**
   * Starts the draft of the next version from the latest one, or returns the existing draft (records 4.2).
   * @throws Failure 403, also for a deleted record; 404 when it was never published.
   */
  start(caller: Caller, command: NewVersion): Promise<DraftId>;
  commands: CommandHandler[];
}

const withoutKeys = (json: string, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(JSON.parse(json)).filter(([key]) => !keys.includes(key)));

/** What the next version copies from the latest one (records 4.2). */
function nextDraft(latest: RecordRow, id: string, index: number, now: number): DraftRow {
  const { is_latest: _isLatest, tombstone: _tombstone, ...content } = latest;
  const dropped = ["publication_date", "version"];
  return {
    ...content,
    id,
    version_index: index,
    revision_id: 1,
    created: now,
    updated: now,
    expires_at: now + draftLifeMicros,
    is_edit: 0,
    request_id: null,
    metadata: JSON.stringify(withoutKeys(latest.metadata, dropped)),
    expanded: JSON.stringify(withoutKeys(latest.expanded, dropped)),
    pids: "{}",
    default_preview: null,
    file_order: "[]",
  };
}

const genesisOf = (draft: DraftRow): Promise<Uint8Array> =>
  inDocuments("genesis", {
    metadata: JSON.parse(draft.metadata),
    custom_fields: JSON.parse(draft.custom_fields),
    access: JSON.parse(draft.access),
    pids: {},
    files: { enabled: draft.files_enabled === 1, default_preview: null, order: [] },
  });

export function versionService({ host, access, store }: FamilyServices): VersionService {
  async function requirePublished(db: Db, caller: Caller, id: string): Promise<RecordRow> {
    const record = await findRecord(db, id);
    if (!record) {
      if (await findDraft(db, id)) throw notFound("The persistent identifier is not registered.");
      throw unknownPid();
    }
    await access.require(db, caller, record.parent_id, "edit");
    const latest = record.tombstone === null ? await findLatestRecord(db, record.parent_id) : undefined;
    // Work that arrives late is refused with the reason: its user had the right, and sees it in the tray.
    if (!latest) throw isDelayed(caller) ? recordDeleted() : forbidden();
    return latest;
  }

  /** @param keepsId whether an id that lost to an existing draft becomes its alias (hosts-and-sync 4). */
  async function startDraft(caller: Caller, command: NewVersion, keepsId: boolean): Promise<DraftId> {
    return host.write(caller, newVersion, command, async (tx, { now }): Promise<WriteResult<DraftId>> => {
      const latest = await requirePublished(tx, caller, command.recordId);
      const title = `Start a new version of ${titleOf(latest)}`;
      const touched = [{ kind: "family" as const, id: latest.parent_id }];
      const present = await findNextDraft(tx, latest.parent_id);
      const object = { kind: "draft", id: present?.id ?? command.id };
      if (present && (!keepsId || present.id === command.id)) {
        return { result: { id: present.id }, touched: [], object, title };
      }
      assertRecordIds(host, command.id);
      await assertFreeIds(tx, command.id, "");
      if (present) {
        await insertAlias(tx, { old_id: command.id, new_id: present.id, parent_id: latest.parent_id });
        return { result: { id: present.id }, touched, object, title };
      }
      const index = (await findHighestIndex(tx, latest.parent_id)) + 1;
      const draft = nextDraft(latest, command.id, index, now);
      await store.insert(tx, draft, { epoch: 1, state: await genesisOf(draft) });
      return { result: { id: draft.id }, touched, object, title };
    });
  }

  return {
    start: (caller, command) => startDraft(caller, command, false),
    commands: [handles(newVersion, (caller, command) => startDraft(caller, command, true))],
  };
}
