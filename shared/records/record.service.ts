import type { Access, AccessService } from "../access/access.service.ts";
import { readAccess } from "../access/embargo.lifecycle.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow, ParentRow, RecordRow } from "../database/schema.ts";
import {
  findDraft,
  findNextDraft,
  findOpenDraft,
  findWholeDraft,
  type OpenDraft,
  type WholeDraft,
} from "../drafts/draft.reader.ts";
import { listEntries } from "../files/file.reader.ts";
import { parentDoiScheme } from "../identifiers/pids.schema.ts";
import { type Caller, isSuperuser } from "../kernel/caller.ts";
import { forbidden, notFound, recordDeleted, unknownPid } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { mayReadFiles, mayReadRecord } from "./record.policy.ts";
import { findLatestDeleted, findLatestRecord, findRecord, findRecordInFamily } from "./record.reader.ts";
import { findAlias, listByDoi, listEmbargoed, listRecords, updateRecord } from "./record.repository.ts";

/** A published record, its access settings now, and the caller's rights on its family. */
export interface Readable {
  record: RecordRow;
  access: StoredAccess;
  family: Access;
}

export interface ReadOptions {
  /** `?include_deleted=1`; ignored unless the caller is an administrator (records 4.7). */
  includesDeleted?: boolean;
}

/** Finds records and checks who may read them (records 1.1, 2, 4). */
export interface RecordService {
  /** The rows with this id. Nobody's right is checked. */
  findRows(db: Db, id: string): Promise<{ record: RecordRow | undefined; draft: DraftRow | undefined }>;
  /**
   * A published record, whether or not the caller may read it: existence is checked before permission.
   * @throws Failure 404 for an unknown id or a draft; 410 with the tombstone for a deleted record.
   */
  find(db: Db, caller: Caller, id: string, options?: ReadOptions): Promise<Readable>;
  /** As `find`. @throws Failure 403 when the caller may not read it. */
  require(db: Db, caller: Caller, id: string, options?: ReadOptions): Promise<Readable>;
  /** @throws Failure 403 when the caller may not read the files of the record. */
  assertMayReadFiles(readable: Readable): void;
  /** The draft with this id. @throws Failure 404 when there is none, 410 when its record is deleted. */
  findDraft(db: Db, id: string): Promise<DraftRow>;
  /** As `findDraft`, with the family. */
  findOpenDraft(db: Db, id: string): Promise<OpenDraft>;
  /** As `findDraft`, with family and document. */
  findWholeDraft(db: Db, id: string): Promise<WholeDraft>;
  /** @throws Failure 410 when the draft edits a record that is deleted. */
  assertKept(db: Db, draft: DraftRow): Promise<void>;
  /**
   * The latest published version, found by the id of any version or of the parent.
   * @throws Failure 404 when nothing is published, 403, 410.
   */
  requireLatest(db: Db, caller: Caller, anyId: string): Promise<Readable>;
  /** Published versions that the caller may read, newest first. @throws Failure as `require`. */
  listVersions(db: Db, caller: Caller, id: string): Promise<Readable[]>;
  /** The parent's id of a draft or record. @throws Failure 404 when unknown, 410 when deleted. */
  requireParentId(db: Db, caller: Caller, id: string): Promise<string>;
  /** The file entries of a draft or record. Nobody's right is checked. */
  listEntries: typeof listEntries;
  /** Records whose embargo is not lifted yet. */
  listEmbargoed: typeof listEmbargoed;
  updateRow: typeof updateRecord;
  /** The id of the first or next draft if `id` is a parent's. */
  nextDraftOf(db: Db, id: string): Promise<string | undefined>;
  /** The latest version's id if `id` is a parent's. */
  latestOfParent(db: Db, id: string): Promise<string | undefined>;
  /**
   * The id of the record with this DOI, or of the parent if it is the DOI of all versions.
   * @throws Failure 404 when no record that the caller may read has it. Only the repository's own DOIs tell of others.
   */
  requireByDoi(db: Db, caller: Caller, doi: string): Promise<string>;
  /** The new id of an object whose id changed (hosts-and-sync 3). */
  movedTo(db: Db, id: string): Promise<string | undefined>;
}

function assertNotDeleted(record: RecordRow): void {
  if (record.tombstone === null) return;
  const tombstone = JSON.parse(record.tombstone);
  if (tombstone.is_visible === false) throw unknownPid();
  throw recordDeleted(tombstone);
}

/** Only an edit draft has the id of a record. */
async function assertKept(db: Db, id: string, draft: DraftRow | undefined): Promise<void> {
  const record = draft?.is_edit === 0 ? undefined : await findRecord(db, id);
  if (record) assertNotDeleted(record);
}

async function requireDraft<D extends { draft: DraftRow }>(
  db: Db,
  id: string,
  find: (db: Db, id: string) => Promise<D | undefined>,
): Promise<D> {
  const found = await find(db, id);
  await assertKept(db, id, found?.draft);
  if (found) return found;
  // Pushed operations may name a draft by its old id. Routes redirect to the new id instead.
  const moved = db.isTransaction ? await findAlias(db, id) : undefined;
  const renamed = moved === undefined ? undefined : await find(db, moved);
  if (!renamed) throw unknownPid();
  return renamed;
}

async function findAlone(db: Db, id: string): Promise<{ draft: DraftRow } | undefined> {
  const draft = await findDraft(db, id);
  return draft && { draft };
}

/** The latest version of a family. @throws Failure 410 when all versions are deleted. */
async function latestOfParent(db: Db, id: string): Promise<string | undefined> {
  const latest = await findLatestRecord(db, id);
  if (latest) return latest.id;
  const deleted = await findLatestDeleted(db, id);
  if (deleted) assertNotDeleted(deleted);
  return undefined;
}

const byDoi =
  (host: Host, access: AccessService): RecordService["requireByDoi"] =>
  async (db, caller, doi) => {
    const isOwn = doi.toLowerCase().startsWith(`${host.settings.doi_prefix.toLowerCase()}/`);
    for (const { scheme, parent_id, record_id } of await listByDoi(db, doi)) {
      if (scheme === parentDoiScheme) return parent_id;
      if (isOwn) return record_id;
      const record = await findRecord(db, record_id);
      const { level } = await access.of(db, caller, parent_id);
      if (record && mayReadRecord(readAccess(host, record.access), level)) return record_id;
    }
    throw notFound();
  };

export function recordService({ host, access }: { host: Host; access: AccessService }): RecordService {
  async function readable(db: Db, caller: Caller, record: RecordRow, parent?: ParentRow): Promise<Readable> {
    const family = await access.of(db, caller, record.parent_id, parent);
    return { record, access: readAccess(host, record.access), family };
  }

  async function find(db: Db, caller: Caller, id: string, options: ReadOptions = {}): Promise<Readable> {
    const found = await findRecordInFamily(db, id);
    if (!found) {
      if (await findDraft(db, id)) throw notFound("The persistent identifier is not registered.");
      throw unknownPid();
    }
    const { record, parent } = found;
    if (!(options.includesDeleted === true && isSuperuser(caller))) assertNotDeleted(record);
    return readable(db, caller, record, parent);
  }

  function assertReadable(found: Readable): Readable {
    if (!mayReadRecord(found.access, found.family.level)) throw forbidden();
    return found;
  }

  const requireRecord = async (db: Db, caller: Caller, id: string, options?: ReadOptions) =>
    assertReadable(await find(db, caller, id, options));

  /** The parent's id of a version; a parent's id is returned unchanged. */
  async function parentIdOf(db: Db, anyId: string): Promise<string> {
    const row = (await findRecord(db, anyId)) ?? (await findDraft(db, anyId));
    return row?.parent_id ?? anyId;
  }

  return {
    async findRows(db, id) {
      return { record: await findRecord(db, id), draft: await findDraft(db, id) };
    },
    find,
    require: requireRecord,
    assertMayReadFiles({ access: stored, family }) {
      if (!mayReadFiles(stored, family.level)) throw forbidden();
    },
    findDraft: async (db, id) => (await requireDraft(db, id, findAlone)).draft,
    findOpenDraft: (db, id) => requireDraft(db, id, findOpenDraft),
    findWholeDraft: (db, id) => requireDraft(db, id, findWholeDraft),
    assertKept: (db, draft) => assertKept(db, draft.id, draft),
    async requireParentId(db, caller, id) {
      const draft = await findDraft(db, id);
      // An edit draft has the id of its record, which may be deleted.
      return draft?.is_edit === 0 ? draft.parent_id : (await find(db, caller, id)).record.parent_id;
    },
    async requireLatest(db, caller, anyId) {
      const named = await findRecord(db, anyId);
      if (named?.tombstone === null) assertReadable(await readable(db, caller, named));
      const latest = await findLatestRecord(db, await parentIdOf(db, anyId));
      // A replica holds only versions that its user may read, so they may not read the latest one.
      if (latest?.is_latest === 0) throw forbidden();
      if (latest) return assertReadable(await readable(db, caller, latest));
      await find(db, caller, anyId);
      throw notFound();
    },
    async listVersions(db, caller, id) {
      const named = await findRecord(db, id);
      const parentId = named ? (await requireRecord(db, caller, id)).record.parent_id : await parentIdOf(db, id);
      const records = await listRecords(db, parentId);
      if (!named && records.length === 0) await find(db, caller, id);
      const all = await Promise.all(records.map((record) => readable(db, caller, record)));
      return all.filter((found) => mayReadRecord(found.access, found.family.level));
    },
    latestOfParent,
    async nextDraftOf(db, id) {
      return (await findNextDraft(db, id))?.id;
    },
    requireByDoi: byDoi(host, access),
    movedTo: findAlias,
    listEntries,
    listEmbargoed,
    updateRow: updateRecord,
  };
}
