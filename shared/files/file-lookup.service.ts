import type { Access, AccessService } from "../access/access.service.ts";
import type { Level } from "../access/level.policy.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { HostAbilities } from "../kernel/host-abilities.ts";
import type { Readable, ReadOptions, RecordService } from "../records/record.service.ts";
import { noSuchFile } from "./file.lifecycle.ts";
import { type EntryOwner, listEntries } from "./file.reader.ts";
import { findEntry, findEntryById, listEntriesOfBlob, listKeys } from "./file.repository.ts";
import { type FilePath, splitFilePath } from "./file-path.ts";
import { listDraftsWithout } from "./removed-file.repository.ts";

export interface DraftFiles {
  draft: DraftRow;
  owner: EntryOwner;
  access: Access;
}

/** A file as a command names it. */
export interface MeantFile {
  draftId: string;
  entryId: string;
  key: string;
  /** The digest of the bytes that the user saw. */
  sha256?: string | undefined;
}

/** Finds files of drafts and records and checks access to them (records 1.1, 2, 6). */
export interface FileLookup {
  /** A draft whose files the caller may access. @throws Failure 404, 410, then 403 below `needed`. */
  draft(db: Db, caller: Caller, id: string, needed: Level): Promise<DraftFiles>;
  /** As `draft`, with one file. Existence is checked before permission. */
  draftFile(
    db: Db,
    caller: Caller,
    id: string,
    key: string,
    needed: Level,
  ): Promise<DraftFiles & { entry: FileEntryRow }>;
  /**
   * The file that a command means: by its id, also after a rename; else the file of this name with the same bytes, which
   * stands for two that were added at once. A file with other bytes is another one.
   */
  draftEntry(db: Db, caller: Caller, ref: MeantFile): Promise<DraftFiles & { entry: FileEntryRow }>;
  /**
   * A published record whose files the caller may read; if deleted, administrators only. @throws Failure 404, 410, 403.
   */
  record(db: Db, caller: Caller, id: string): Promise<Readable>;
  recordFile(db: Db, caller: Caller, id: string, key: string): Promise<Readable & { entry: FileEntryRow }>;
  /** All entries of a draft or record, by time of creation. */
  entries(db: Db, owner: EntryOwner): Promise<FileEntryRow[]>;
  /** Splits a path after `/files/` for this record; the file need not exist. */
  splitRecord(db: Db, id: string, parts: readonly string[]): Promise<FilePath>;
  /** As `splitRecord`, for a draft. */
  splitDraft(db: Db, id: string, parts: readonly string[]): Promise<FilePath>;
  /** Whether the caller may read or restore a file with these bytes. */
  mayReadBytes(db: Db, caller: Caller, sha256: string): Promise<boolean>;
}

/** The entries of a draft; an edit draft shows those of its record (records 4.5). */
const ownerOf = (draft: DraftRow): EntryOwner => ({ kind: draft.is_edit === 1 ? "record" : "draft", id: draft.id });

/** Administrators may read the files of deleted records directly (records 4.7). */
const deletedToo: ReadOptions = { includesDeleted: true };

export interface FileLookupParts {
  access: AccessService;
  records: RecordService;
  host: Pick<Host, "abilities">;
}

class FileFinder implements FileLookup {
  readonly entries = listEntries;
  #access: AccessService;
  #records: RecordService;
  #abilities: HostAbilities;

  constructor({ access, records, host }: FileLookupParts) {
    this.#access = access;
    this.#records = records;
    this.#abilities = host.abilities;
  }

  async draft(db: Db, caller: Caller, id: string, needed: Level): Promise<DraftFiles> {
    const { draft, parent } = await this.#records.findOpenDraft(db, id);
    const access = await this.#access.requireDraft(db, caller, draft, needed, parent);
    return { draft, owner: ownerOf(draft), access };
  }

  async draftFile(db: Db, caller: Caller, id: string, key: string, needed: Level) {
    const draft = await this.#records.findDraft(db, id);
    const entry = await findEntry(db, ownerOf(draft), key);
    if (!entry) throw noSuchFile(id, key);
    return { ...(await this.draft(db, caller, id, needed)), entry };
  }

  async draftEntry(db: Db, caller: Caller, ref: MeantFile) {
    const draft = await this.#records.findDraft(db, ref.draftId);
    const owner = ownerOf(draft);
    const named = ref.sha256 === undefined ? undefined : await findEntry(db, owner, ref.key);
    const same = named?.sha256 === ref.sha256 ? named : undefined;
    const entry = (await findEntryById(db, owner, ref.entryId)) ?? same;
    if (!entry) throw noSuchFile(ref.draftId, ref.key);
    return { ...(await this.draft(db, caller, ref.draftId, "edit")), entry };
  }

  async record(db: Db, caller: Caller, id: string): Promise<Readable> {
    const found = await this.#records.find(db, caller, id, deletedToo);
    this.#records.assertMayReadFiles(found);
    return found;
  }

  async recordFile(db: Db, caller: Caller, id: string, key: string) {
    const found = await this.#records.find(db, caller, id, deletedToo);
    const entry = await findEntry(db, { kind: "record", id }, key);
    // A replica does not know the names of files that its user may not read, so it answers 403.
    if (!entry && !this.#abilities.holdsEverything) this.#records.assertMayReadFiles(found);
    if (!entry) throw noSuchFile(id, key);
    this.#records.assertMayReadFiles(found);
    return { ...found, entry };
  }

  splitRecord(db: Db, id: string, parts: readonly string[]): Promise<FilePath> {
    return splitFilePath(parts, (keys) => listKeys(db, { kind: "record", id }, keys));
  }

  splitDraft(db: Db, id: string, parts: readonly string[]): Promise<FilePath> {
    // Whether the draft exists is checked later. An edit draft has the names of its record.
    return splitFilePath(parts, async (keys) => [
      ...(await listKeys(db, { kind: "draft", id }, keys)),
      ...(await listKeys(db, { kind: "record", id }, keys)),
    ]);
  }

  readonly mayReadBytes = async (db: Db, caller: Caller, sha256: string): Promise<boolean> => {
    for (const entry of await listEntriesOfBlob(db, sha256)) {
      const { owner_kind, owner_id } = entry;
      const isDraft = owner_kind === "draft";
      if (
        await this.#may(() =>
          isDraft ? this.draft(db, caller, owner_id, "preview") : this.record(db, caller, owner_id),
        )
      )
        return true;
    }
    // Users who edit the draft may restore the file.
    for (const draftId of await listDraftsWithout(db, sha256)) {
      if (await this.#may(() => this.draft(db, caller, draftId, "edit"))) return true;
    }
    return false;
  };

  async #may(reach: () => Promise<unknown>): Promise<boolean> {
    try {
      await reach();
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }
}

export const fileLookup = (parts: FileLookupParts): FileLookup => new FileFinder(parts);
