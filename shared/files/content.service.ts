import type { BlobFacts } from "../blobs/blob-store.ts";
import type { UploadStart } from "../blobs/storage-meters.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import type { UploadService } from "../blobs/upload.service.ts";
import type { UploadTarget } from "../blobs/upload-append.ts";
import type { FileEntryRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import {
  announcedOf,
  assertPending,
  assertPresent,
  assertUnlocked,
  fileTooLarge,
  notUploadedYet,
  quotaExceeded,
} from "./file.lifecycle.ts";
import { listEntries } from "./file.reader.ts";
import { contentUploadKey, type FileService } from "./file.service.ts";
import type { DraftFiles, FileLookup } from "./file-lookup.service.ts";

export interface PendingContent {
  entry: FileEntryRow;
  target: UploadTarget;
}

/** The content of draft files, from the first byte to the commit (records 6.4, 6.4.1). */
export interface ContentService {
  readonly uploads: UploadService;
  /** The target of a PUT or PATCH of content. @throws Failure 404, 403, 400 if committed already. */
  target(caller: Caller, draftId: string, key: string): Promise<PendingContent>;
  /**
   * Completes an entry with its uploaded bytes. May be repeated.
   * @throws Failure 404, 403, 400 if nothing was uploaded.
   */
  commit(caller: Caller, draftId: string, key: string): Promise<void>;
  /** Deletes an entry and everything uploaded for it. @throws Failure 404, 403. */
  delete(caller: Caller, draftId: string, key: string): Promise<void>;
  deleteAll(caller: Caller, draftId: string): Promise<void>;
  /** As `delete`, for several entries in one step. @throws Failure 400 by field for a name that does not exist. */
  deleteMany(caller: Caller, draftId: string, keys: readonly string[]): Promise<void>;
}

interface Needs {
  host: Host;
  lookup: FileLookup;
  files: FileService;
  uploads: UploadService;
  quota: StorageQuotaService;
}

export function contentService({ host, lookup, files, uploads, quota }: Needs): ContentService {
  const { db } = host;

  async function limits(
    { owner }: DraftFiles,
    entry: FileEntryRow,
  ): Promise<Pick<UploadTarget, "maxBytes" | "tooLarge">> {
    const others = (await listEntries(db, owner)).filter(({ id }) => id !== entry.id);
    const waiting = await uploads.sizeOf(db, others.map(contentUploadKey));
    const used = others.reduce((sum, { size }) => sum + (size ?? 0), waiting);
    const { max_file_bytes, max_record_bytes } = host.settings;
    const left = Math.max(0, max_record_bytes - used);
    const maxBytes = Math.min(left, max_file_bytes);
    // A file over both limits gets the file limit as its error: room in another record would not help.
    return { maxBytes, tooLarge: (bytes) => (bytes > max_file_bytes ? fileTooLarge() : quotaExceeded()) };
  }

  /** The uploaded bytes of an entry: from here, or from an unfinished copy before a restart. */
  async function uploaded(entry: FileEntryRow): Promise<BlobFacts> {
    const facts = await uploads.content(db, contentUploadKey(entry));
    if (!facts) throw notUploadedYet(entry.key);
    return facts;
  }

  async function deleteEntries(caller: Caller, draftId: string, entries: FileEntryRow[]): Promise<void> {
    await files.deleteAll(caller, { draftId, entryIds: entries.map(({ id }) => id) });
    for (const entry of entries) await uploads.drop(contentUploadKey(entry));
  }

  return {
    uploads,
    async target(caller, draftId, key) {
      const found = await lookup.draftFile(db, caller, draftId, key, "edit");
      assertUnlocked(found.draft);
      assertPending(found.entry);
      const { entry } = found;
      const target = {
        key: contentUploadKey(entry),
        expected: announcedOf(entry),
        openMeter: (bytes: number, at: UploadStart) => quota.openForFamily(found.draft.parent_id, bytes, at),
        ...(await limits(found, entry)),
      };
      return { entry, target };
    },
    async commit(caller, draftId, key) {
      const { entry, draft } = await lookup.draftFile(db, caller, draftId, key, "edit");
      assertUnlocked(draft);
      if (entry.status === "completed") return;
      const { sha256, md5, sizeBytes } = await uploaded(entry);
      const ids = { fileId: host.newUuid(), versionId: host.newUuid() };
      await files.commit(caller, { draftId, entryId: entry.id, key, sha256, md5, size: sizeBytes, ...ids });
    },
    async delete(caller, draftId, key) {
      const { entry } = await lookup.draftFile(db, caller, draftId, key, "edit");
      await files.delete(caller, { draftId, entryId: entry.id, key });
      await uploads.drop(contentUploadKey(entry));
    },
    async deleteAll(caller, draftId) {
      const { owner } = await lookup.draft(db, caller, draftId, "edit");
      await deleteEntries(caller, draftId, await listEntries(db, owner));
    },
    async deleteMany(caller, draftId, keys) {
      const { draft, owner } = await lookup.draft(db, caller, draftId, "edit");
      assertUnlocked(draft);
      const entries = await listEntries(db, owner);
      assertPresent(entries, keys);
      const wanted = new Set(keys);
      await deleteEntries(
        caller,
        draftId,
        entries.filter(({ key }) => wanted.has(key)),
      );
    },
  };
}
