import type { UploadService } from "../blobs/upload.service.ts";
import type { Tx } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import type { DraftFilesOptions } from "../drafts/draft-files-options.service.ts";
import { type Call, isDelayed, isReplay } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import { dayOf } from "../kernel/timestamps.ts";
import type { BlobAccess } from "./blob-access.service.ts";
import { guessType } from "./content-headers.ts";
import { derivedUuid } from "./derived-uuid.ts";
import {
  assertFilesEnabled,
  assertImportable,
  assertPending,
  assertRoom,
  assertUnlocked,
  freeConflictName,
  nameTaken,
  sameFileTwice,
  tooManyFiles,
} from "./file.lifecycle.ts";
import { listEntries } from "./file.reader.ts";
import {
  deleteEntries,
  findEntryById,
  findPreviousRecord,
  findUsername,
  insertEntries,
  updateEntry,
} from "./file.repository.ts";
import {
  type CommitFile,
  commitFile,
  type DeleteAllFiles,
  type DeleteFile,
  type DescribeFile,
  deleteAllFiles,
  deleteFile,
  describeFile,
  type ImportFiles,
  type InitFiles,
  importFiles,
  initFiles,
} from "./file.schema.ts";
import { describedLater } from "./file-description.ts";
import type { DraftFiles, FileLookup } from "./file-lookup.service.ts";
import { fileChange, unchangedFiles } from "./file-outcome.ts";
import { goneFiles, type RemovedFiles } from "./removed-file.service.ts";

/**
 * Changes to the files of a draft, as commands (records 6.3, 6.4, 4.4). Results are empty: routes read the entry again.
 */
export interface FileService {
  /** Creates pending entries. @throws Failure 404, 403 (level, locked, files disabled), 400 name taken or too many. */
  init(caller: Caller, command: InitFiles): Promise<null>;
  /**
   * Completes an entry with bytes from the blob store.
   * @throws Failure 409 with `missing_blobs` when the bytes are missing or the caller may not use them.
   */
  commit(caller: Caller, command: CommitFile): Promise<null>;
  /** Deletes the file that the user saw; nothing if it is gone. @throws Failure 404, 403 (level, locked). */
  delete(caller: Caller, command: DeleteFile): Promise<null>;
  deleteAll(caller: Caller, command: DeleteAllFiles): Promise<null>;
  /** Replaces the metadata of an entry. @throws Failure 409 if others changed what the user changed on a replica. */
  describe(caller: Caller, command: DescribeFile): Promise<null>;
  /** Links all files of the previous version. @throws Failure 404, 400 on `files.enabled`. */
  import(caller: Caller, command: ImportFiles): Promise<null>;
  readonly commands: CommandHandler[];
}

type Facts = Pick<CommitFile, "md5" | "size">;

interface Needs {
  host: Host;
  lookup: FileLookup;
  blobs: BlobAccess;
  uploads: UploadService;
  filesOptions: DraftFilesOptions;
  removedFiles: RemovedFiles;
}

class DraftFileService implements FileService {
  #host: Host;
  #lookup: FileLookup;
  #blobs: BlobAccess;
  #uploads: UploadService;
  #options: DraftFilesOptions;
  #removed: RemovedFiles;
  readonly commands: CommandHandler[] = [
    handles(initFiles, (caller, input) => this.init(caller, input)),
    handles(commitFile, (caller, input) => this.commit(caller, input)),
    handles(deleteFile, (caller, input) => this.delete(caller, input)),
    handles(deleteAllFiles, (caller, input) => this.deleteAll(caller, input)),
    handles(describeFile, (caller, input) => this.describe(caller, input)),
    handles(importFiles, (caller, input) => this.import(caller, input)),
  ];

  constructor({ host, lookup, blobs, uploads, filesOptions, removedFiles }: Needs) {
    this.#host = host;
    this.#lookup = lookup;
    this.#blobs = blobs;
    this.#uploads = uploads;
    this.#options = filesOptions;
    this.#removed = removedFiles;
  }

  async #unlocked(tx: Tx, caller: Caller, draftId: string): Promise<DraftFiles> {
    const found = await this.#lookup.draft(tx, caller, draftId, "edit");
    assertUnlocked(found.draft);
    return found;
  }

  init(caller: Caller, command: InitFiles): Promise<null> {
    return this.#host.write(caller, initFiles, command, async (tx, { now }) => {
      const { draft, owner } = await this.#unlocked(tx, caller, command.draftId);
      assertFilesEnabled(draft);
      const present = await listEntries(tx, owner);
      const ids = new Set(present.map(({ id }) => id));
      const files = command.files.filter(({ id }) => !ids.has(id));
      if (files.length === 0) return unchangedFiles(draft);
      const { max_files } = this.#host.settings;
      if (present.length + files.length > max_files) throw tooManyFiles(max_files);
      const taken = new Set(present.map(({ key }) => key));
      let position = Math.max(-1, ...present.map((entry) => entry.position));
      const rows: FileEntryRow[] = [];
      for (const file of files) {
        const key = taken.has(file.key) ? await this.#freeName(tx, caller, file.key, taken, now) : file.key;
        taken.add(key);
        position += 1;
        rows.push({
          ...emptyEntry(draft, present[0]?.bucket_id ?? command.bucketId, now),
          id: file.id,
          key,
          metadata: file.metadata === null ? null : JSON.stringify(file.metadata),
          hidden: file.hidden ? 1 : 0,
          announced: file.announced === null ? null : JSON.stringify(file.announced),
          position,
        });
      }
      await insertEntries(tx, rows);
      const [first] = rows;
      return fileChange(draft, rows.length === 1 && first ? `Add ${first.key} to` : `Add ${rows.length} files to`);
    });
  }

  /** A free name for a file whose name is taken. @throws Failure 400 in a direct call. */
  async #freeName(tx: Tx, caller: Call, key: string, taken: Set<string>, now: number): Promise<string> {
    if (!isDelayed(caller)) throw nameTaken(key);
    const username = (await findUsername(tx, caller.userId ?? "")) ?? "somebody";
    return freeConflictName(key, username, dayOf(now), taken);
  }

  commit(caller: Caller, command: CommitFile): Promise<null> {
    return this.#host.write(caller, commitFile, command, async (tx, { now }) => {
      const { draft, owner, entry } = await this.#lookup.draftEntry(tx, caller, command);
      assertUnlocked(draft);
      if (entry.md5 === command.md5) return unchangedFiles(draft);
      assertPending(entry);
      const { md5, size } = await this.#factsOf(tx, caller, entry, command);
      await this.#uploads.forgetContent(tx, contentUploadKey(entry));
      const { sha256 } = command;
      await updateEntry(tx, entry.id, {
        status: "completed",
        sha256,
        md5,
        size,
        mimetype: guessType(entry.key),
        file_id: command.fileId,
        version_id: command.versionId,
        updated: now,
      });
      const entries = await listEntries(tx, owner);
      const twice = sameFileTwice(entries.filter((other) => other.sha256 === sha256));
      await deleteEntries(tx, twice);
      const kept = entries.filter(({ id }) => !twice.includes(id));
      if (!isReplay(caller)) assertRoom(size, kept, this.#host.settings);
      return { ...fileChange(draft, `Upload ${entry.key} to`), blobs: [{ sha256, size }] };
    });
  }

  /**
   * Size and digests of the bytes. A replica believes its own user. The server checks the bytes that it has, and asks
   * for missing ones.
   */
  async #factsOf(tx: Tx, caller: Caller, entry: FileEntryRow, command: CommitFile): Promise<Facts> {
    if (!this.#host.abilities.verifiesBytes) return command;
    const blob = await this.#blobs.findIn(tx, caller, command.sha256, [contentUploadKey(entry)]);
    if (blob) return blob;
    throw new Failure("conflict", "The bytes of this file are not here yet.", {
      extra: { missing_blobs: [command.sha256] },
    });
  }

  delete(caller: Caller, command: DeleteFile): Promise<null> {
    return this.#host.write(caller, deleteFile, command, async (tx, { now }) => {
      const { draft, owner } = await this.#unlocked(tx, caller, command.draftId);
      const entry = await findEntryById(tx, owner, command.entryId);
      // The file was removed or replaced meanwhile. Another file of its name is not the one that the user saw.
      if (!entry) return goneFiles(tx, caller, draft, [command.entryId]);
      await this.#removed.keep(tx, draft, [entry], now);
      await deleteEntries(tx, [entry.id]);
      await this.#forgetNames(tx, caller, draft, (key) => key === entry.key, now);
      return fileChange(draft, `Remove ${entry.key} from`);
    });
  }

  deleteAll(caller: Caller, command: DeleteAllFiles): Promise<null> {
    return this.#host.write(caller, deleteAllFiles, command, async (tx, { now }) => {
      const { draft, owner } = await this.#unlocked(tx, caller, command.draftId);
      const present = await listEntries(tx, owner);
      const wanted = new Set(command.entryIds);
      const entries = present.filter(({ id }) => wanted.has(id));
      if (entries.length === 0) return goneFiles(tx, caller, draft, command.entryIds);
      const ids = entries.map(({ id }) => id);
      await this.#removed.keep(tx, draft, entries, now);
      await deleteEntries(tx, ids);
      const names = new Set(entries.map(({ key }) => key));
      await this.#forgetNames(tx, caller, draft, (key) => names.has(key), now);
      const isAll = entries.length === present.length;
      return fileChange(draft, isAll ? "Remove all files from" : `Remove ${entries.length} files from`);
    });
  }

  describe(caller: Caller, command: DescribeFile): Promise<null> {
    return this.#host.write(caller, describeFile, command, async (tx, { now }) => {
      const { draft, entry } = await this.#lookup.draftEntry(tx, caller, command);
      assertUnlocked(draft);
      const metadata = isDelayed(caller) ? describedLater(this.#host, entry, command) : command.metadata;
      await updateEntry(tx, entry.id, { metadata: JSON.stringify(metadata), updated: now });
      return fileChange(draft, `Describe ${entry.key} of`);
    });
  }

  import(caller: Caller, command: ImportFiles): Promise<null> {
    return this.#host.write(caller, importFiles, command, async (tx, { now }) => {
      const { draft, owner } = await this.#unlocked(tx, caller, command.draftId);
      const own = await listEntries(tx, owner);
      const record = await findPreviousRecord(tx, draft.parent_id, draft.version_index);
      const previous = record && (await listEntries(tx, { kind: "record", id: record.id }));
      assertImportable(draft, own, previous);
      await insertEntries(
        tx,
        previous.map((entry) => ({
          ...entry,
          id: derivedUuid("entry", command.bucketId, entry.key),
          owner_kind: "draft" as const,
          owner_id: draft.id,
          bucket_id: command.bucketId,
          version_id: derivedUuid("version", command.bucketId, entry.key),
          created: now,
          updated: now,
        })),
      );
      const order: string[] = JSON.parse(record?.file_order ?? "[]");
      const default_preview = record?.default_preview ?? null;
      await this.#options.change(tx, caller, draft, { default_preview, order }, now);
      return fileChange(draft, "Import the files of the previous version into");
    });
  }

  /** Removes deleted names from `files.default_preview` and `order` (records 6.6). */
  async #forgetNames(tx: Tx, caller: Caller, draft: DraftRow, isRemoved: (key: string) => boolean, now: number) {
    const order: string[] = JSON.parse(draft.file_order);
    const { default_preview } = draft;
    const isPreviewRemoved = default_preview !== null && isRemoved(default_preview);
    if (!isPreviewRemoved && !order.some(isRemoved)) return;
    const left = {
      default_preview: isPreviewRemoved ? null : default_preview,
      order: order.filter((key) => !isRemoved(key)),
    };
    await this.#options.change(tx, caller, draft, left, now);
  }
}

/** The key of the upload of an entry's content. It uses the id, because the entry may be renamed meanwhile. */
export const contentUploadKey = (entry: Pick<FileEntryRow, "id">): string => `file:${entry.id}`;

function emptyEntry(draft: DraftRow, bucketId: string, now: number) {
  return {
    owner_kind: "draft" as const,
    owner_id: draft.id,
    parent_id: draft.parent_id,
    status: "pending" as const,
    sha256: null,
    md5: null,
    size: null,
    mimetype: null,
    file_id: null,
    version_id: null,
    bucket_id: bucketId,
    created: now,
    updated: now,
  };
}

export const fileService = (needs: Needs): FileService => new DraftFileService(needs);
