import type { Tx } from "../database/open.ts";
import type { DraftRow, FileEntryRow, RemovedFileRow } from "../database/schema.ts";
import { awaitsOthers } from "../drafts/awaits-others.ts";
import type { DraftFilesOptions } from "../drafts/draft-files-options.service.ts";
import { type Call, isReplay } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { BlobAccess } from "./blob-access.service.ts";
import { guessType } from "./content-headers.ts";
import {
  assertFilesEnabled,
  assertRoom,
  assertUnlocked,
  noSuchRemovedFile,
  restoredName,
  tooManyFiles,
} from "./file.lifecycle.ts";
import { listEntries } from "./file.reader.ts";
import { insertEntries, updateEntry } from "./file.repository.ts";
import type { FileLookup } from "./file-lookup.service.ts";
import { fileChange, unchangedFiles } from "./file-outcome.ts";
import { findRemovedFile, isAnyRemoved, listRemovedFiles, upsertRemovedFiles } from "./removed-file.repository.ts";
import { type RestoreFile, restoreFile } from "./removed-file.schema.ts";

/** Completed files that were removed from a draft: kept for a day, unless the draft is published before (app H2). */
export interface RemovedFiles {
  /** Keeps completed entries that are being removed. Call it before their names are removed from `files.order`. */
  keep(tx: Tx, draft: DraftRow, entries: readonly FileEntryRow[], now: number): Promise<void>;
  /** The last removed first, without those that were added again as they were. @throws Failure 404, 403. */
  list(caller: Caller, draftId: string): Promise<RemovedFileRow[]>;
  /**
   * Restores a file, under another name if its own is taken. A file with its name and content that was added meanwhile
   * gets its description, place and preview instead.
   * @returns the entry. @throws Failure 404, 403, 400 over a limit.
   */
  restore(caller: Caller, draftId: string, versionId: string): Promise<FileEntryRow>;
  readonly commands: CommandHandler[];
}

/**
 * Nothing changed, since the files were removed meanwhile.
 * @throws Failure 409 for a pushed change of files that were never here.
 */
export async function goneFiles(
  tx: Tx,
  { origin }: Call,
  draft: DraftRow,
  entryIds: readonly string[],
): Promise<WriteResult<null>> {
  const mayComeLater = origin?.kind === "operation" && entryIds.length > 0;
  if (mayComeLater && !(await isAnyRemoved(tx, draft.id, entryIds))) throw awaitsOthers();
  return unchangedFiles(draft);
}

interface Needs {
  host: Host;
  lookup: FileLookup;
  blobs: BlobAccess;
  filesOptions: DraftFilesOptions;
}

type RestoredEntry = RestoreFile["entry"];

class RemovedDraftFiles implements RemovedFiles {
  #host: Host;
  #lookup: FileLookup;
  #blobs: BlobAccess;
  #options: DraftFilesOptions;
  readonly commands: CommandHandler[] = [handles(restoreFile, (caller, input) => this.#run(caller, input))];

  constructor({ host, lookup, blobs, filesOptions }: Needs) {
    this.#host = host;
    this.#lookup = lookup;
    this.#blobs = blobs;
    this.#options = filesOptions;
  }

  async keep(tx: Tx, draft: DraftRow, entries: readonly FileEntryRow[], now: number): Promise<void> {
    const order: string[] = JSON.parse(draft.file_order);
    const rows = entries.flatMap((entry): RemovedFileRow[] => {
      const { version_id, sha256 } = entry;
      if (entry.status === "pending" || version_id === null || sha256 === null) return [];
      const index = order.indexOf(entry.key);
      const ids = { entry_id: entry.id, draft_id: draft.id, version_id, sha256 };
      return [
        {
          ...ids,
          entry: JSON.stringify(entry),
          was_preview: draft.default_preview === entry.key ? 1 : 0,
          order_index: index === -1 ? null : index,
          removed: now,
        },
      ];
    });
    await upsertRemovedFiles(tx, rows);
  }

  async list(caller: Caller, draftId: string): Promise<RemovedFileRow[]> {
    const { db } = this.#host;
    const { draft, owner } = await this.#lookup.draft(db, caller, draftId, "edit");
    const present = new Map((await listEntries(db, owner)).map((one) => [one.key, one]));
    const isMissing = (row: RemovedFileRow): boolean => {
      const entry: FileEntryRow = JSON.parse(row.entry);
      const again = present.get(entry.key);
      return again?.sha256 !== row.sha256 || lacksDescription(again, entry);
    };
    return (await listRemovedFiles(db, draft.id)).filter(isMissing);
  }

  async restore(caller: Caller, draftId: string, versionId: string): Promise<FileEntryRow> {
    const { db } = this.#host;
    const { draft, owner } = await this.#lookup.draft(db, caller, draftId, "edit");
    const removed = await findRemovedFile(db, draft.id, versionId);
    if (!removed) throw noSuchRemovedFile();
    const command = commandOf(removed);
    await this.#run(caller, command);
    const entry = (await listEntries(db, owner)).find((one) => isSameFile(one, command.entry));
    if (!entry) throw noSuchRemovedFile();
    return entry;
  }

  #run(caller: Caller, command: RestoreFile): Promise<null> {
    return this.#host.write(caller, restoreFile, command, async (tx, { now }) => {
      const { draft, owner } = await this.#lookup.draft(tx, caller, command.draftId, "edit");
      assertUnlocked(draft);
      assertFilesEnabled(draft);
      const { entry } = command;
      const present = await listEntries(tx, owner);
      const again = present.find((one) => isSameFile(one, entry));
      if (again) return this.#giveBack(tx, caller, draft, { again, command, now });
      const { settings } = this.#host;
      if (present.length >= settings.max_files) throw tooManyFiles(settings.max_files);
      const facts = await this.#factsOf(tx, caller, entry);
      if (!isReplay(caller)) assertRoom(facts.size, [...present, facts], settings);
      const key = restoredName(entry.key, new Set(present.map((one) => one.key)));
      const bucket = present[0]?.bucket_id ?? entry.bucket_id;
      await insertEntries(tx, [entryRow(draft, { ...entry, ...facts, key, bucket_id: bucket }, now)]);
      await this.#restoreOptions(tx, caller, draft, { key, command, now });
      const blobs = [{ sha256: entry.sha256, size: facts.size }];
      return { ...fileChange(draft, `Restore ${key} in`), blobs };
    });
  }

  /** Gives a file that was added again what the removed one had: a file that replaces another has nothing of it. */
  async #giveBack(
    tx: Tx,
    caller: Caller,
    draft: DraftRow,
    { again, command, now }: { again: FileEntryRow; command: RestoreFile; now: number },
  ): Promise<WriteResult<null>> {
    const { entry } = command;
    if (again.id === entry.id) return unchangedFiles(draft);
    if (lacksDescription(again, entry))
      await updateEntry(tx, again.id, { metadata: JSON.stringify(entry.metadata), updated: now });
    await this.#restoreOptions(tx, caller, draft, { key: again.key, command, now });
    return fileChange(draft, `Restore ${again.key} in`);
  }

  /** Size and digest. The server uses the bytes that it has, which the caller must be allowed to use. */
  async #factsOf(tx: Tx, caller: Caller, entry: RestoredEntry): Promise<Pick<RestoredEntry, "md5" | "size">> {
    if (!this.#host.abilities.verifiesBytes) return { md5: entry.md5, size: entry.size };
    const blob = await this.#blobs.findIn(tx, caller, entry.sha256);
    if (blob) return { md5: blob.md5, size: blob.size };
    throw new Failure("conflict", "The bytes of this file are not here yet.", {
      extra: { missing_blobs: [entry.sha256] },
    });
  }

  /** Restores the file's position in the order, and makes it the preview file again unless there is another one. */
  async #restoreOptions(
    tx: Tx,
    caller: Caller,
    draft: DraftRow,
    { key, command, now }: { key: string; command: RestoreFile; now: number },
  ): Promise<void> {
    const { orderIndex, wasPreview } = command;
    const isPreview = wasPreview && draft.default_preview === null;
    const before: string[] = JSON.parse(draft.file_order);
    const hasPlace = orderIndex === null || before.includes(key);
    if (hasPlace && !isPreview) return;
    const order = hasPlace ? before : before.toSpliced(orderIndex, 0, key);
    const default_preview = isPreview ? key : draft.default_preview;
    await this.#options.change(tx, caller, draft, { default_preview, order }, now);
  }
}

/** Whether `one` is the restored entry, or one with the same name and content that was added meanwhile. */
const isSameFile = (one: FileEntryRow, { id, key, sha256 }: RestoredEntry): boolean =>
  one.id === id || (one.key === key && one.sha256 === sha256);

/** Whether a file that was added again has no description, and the removed one had one. */
const lacksDescription = (again: FileEntryRow, { metadata }: { metadata: unknown }): boolean =>
  metadata !== null && again.metadata === null;

const entryRow = (draft: DraftRow, entry: RestoredEntry, now: number): FileEntryRow => ({
  ...entry,
  owner_kind: "draft",
  owner_id: draft.id,
  parent_id: draft.parent_id,
  status: "completed",
  mimetype: guessType(entry.key),
  metadata: entry.metadata === null ? null : JSON.stringify(entry.metadata),
  hidden: entry.hidden ? 1 : 0,
  announced: null,
  created: now,
  updated: now,
});

function commandOf(removed: RemovedFileRow): RestoreFile {
  const row: FileEntryRow = JSON.parse(removed.entry);
  const { id, key, md5, size, file_id, bucket_id, position } = row;
  const { draft_id: draftId, version_id, sha256 } = removed;
  if (md5 === null || size === null || file_id === null) throw noSuchRemovedFile();
  const metadata = row.metadata === null ? null : JSON.parse(row.metadata);
  const ids = { id, file_id, version_id, bucket_id };
  const entry = { ...ids, key, sha256, md5, size, metadata, hidden: row.hidden === 1, position };
  return { draftId, entry, wasPreview: removed.was_preview === 1, orderIndex: removed.order_index };
}

export const removedFiles = (needs: Needs): RemovedFiles => new RemovedDraftFiles(needs);
