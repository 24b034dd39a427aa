import { readAccess } from "../access/embargo.lifecycle.ts";
import type { Db } from "../database/open.ts";
import type { RecordRow } from "../database/schema.ts";
import { type Caller, isSuperuser } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField } from "../kernel/failure.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { notifyOwner } from "../notifications/removal-notice.service.ts";
import type { UserService } from "../users/user.service.ts";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import { type DeleteRecord, deleteRecord, type RestoreRecord, restoreRecord } from "./deletion.schema.ts";
import { findRecord } from "./record.reader.ts";
import { markLatest, updateRecord } from "./record.repository.ts";
import type { RecordService } from "./record.service.ts";

export interface DeletionService {
  /** The record, for an administrator. @throws Failure 403 for others, 404. */
  requireMine(db: Db, caller: Caller, id: string): Promise<RecordRow>;
  /** @throws Failure 400 for a deleted record or an unknown reason, 403, 404, 412. */
  remove(caller: Caller, command: DeleteRecord, ifMatch?: number): Promise<{ id: string }>;
  /** @throws Failure 400 for a record that is not deleted, 403, 404. */
  restore(caller: Caller, command: RestoreRecord): Promise<{ id: string }>;
}

/** The default citation of a deleted record: people, year, title. Empty for a restricted one, as everybody reads it. */
function citationOf(host: Host, record: RecordRow): string {
  if (readAccess(host, record.access).record === "restricted") return "";
  const { creators = [], publication_date = "", title = "" } = JSON.parse(record.expanded);
  const names = creators.map((creator: { person_or_org?: { name?: string } }) => creator.person_or_org?.name ?? "");
  return `${names.filter(Boolean).join("; ")} (${publication_date.slice(0, 4)}). ${title}.`;
}

const tombstoneOf = (host: Host, record: RecordRow, caller: Caller, command: DeleteRecord, now: number): string =>
  JSON.stringify({
    ...(command.removal_reason ? { removal_reason: command.removal_reason } : {}),
    note: command.note ?? "",
    removed_by: { user: caller.userId },
    removal_date: isoTime(now),
    citation_text: command.citation_text || citationOf(host, record),
    is_visible: command.is_visible ?? true,
  });

interface Services {
  host: Host;
  records: RecordService;
  users: Pick<UserService, "find">;
  loadEntries(db: Db, references: readonly EntryReference[]): Promise<EntryLookups>;
}

export function deletionService({ host, records, users, loadEntries }: Services): DeletionService {
  async function requireMine(db: Db, caller: Caller, id: string): Promise<RecordRow> {
    const record = await findRecord(db, id);
    if (!record) return (await records.find(db, caller, id)).record;
    if (!isSuperuser(caller)) throw forbidden();
    return record;
  }

  function assertDeleted(record: RecordRow, isDeleted: boolean): void {
    if ((record.tombstone !== null) === isDeleted) return;
    throw new Failure("invalid", "Record in unexpected deletion status.");
  }

  async function assertReason(db: Db, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const lookups = await loadEntries(db, [{ type: "removalreasons", id }]);
    if (!lookups.findEntry("removalreasons", id)) throw invalidField("removal_reason.id", `Invalid value ${id}.`);
  }

  const writeResult = (record: RecordRow, title: string): WriteResult<{ id: string }> => ({
    result: { id: record.id },
    touched: [{ kind: "family", id: record.parent_id }],
    object: { kind: "record", id: record.id },
    title,
  });

  const remove = (caller: Caller, command: DeleteRecord, ifMatch?: number) =>
    host.write(caller, deleteRecord, command, async (tx, { now }) => {
      const record = await requireMine(tx, caller, command.id);
      assertRevision(ifMatch, record.revision_id);
      assertDeleted(record, false);
      await assertReason(tx, command.removal_reason?.id);
      const { parent } = (await records.find(tx, caller, record.id)).family;
      const tombstone = tombstoneOf(host, record, caller, command, now);
      await updateRecord(tx, record.id, { tombstone, revision_id: record.revision_id + 1 });
      await markLatest(tx, record.parent_id);
      const result = writeResult(record, "Delete a record");
      const by = { ownerId: parent.owner_id, actorId: caller.userId, now };
      const notices = await notifyOwner({ host, users }, tx, { record, ...by });
      return { ...result, touched: [...result.touched, ...notices] };
    });

  const restore = (caller: Caller, command: RestoreRecord) =>
    host.write(caller, restoreRecord, command, async (tx) => {
      const record = await requireMine(tx, caller, command.id);
      assertDeleted(record, true);
      await updateRecord(tx, record.id, { tombstone: null, revision_id: record.revision_id + 1 });
      await markLatest(tx, record.parent_id);
      return writeResult(record, "Restore a record");
    });

  return {
    requireMine,
    remove,
    restore,
  };
}
