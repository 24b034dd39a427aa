import type { Tx } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import type { DraftFilesOptions } from "../drafts/draft-files-options.service.ts";
import { type Call, isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { invalid, type Problem } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import { dayOf } from "../kernel/timestamps.ts";
import { guessType } from "./content-headers.ts";
import { assertPresent, assertUnlocked, freeConflictName, nameTaken } from "./file.lifecycle.ts";
import { listEntries } from "./file.reader.ts";
import { findUsername, updateEntry } from "./file.repository.ts";
import type { FileLookup } from "./file-lookup.service.ts";
import { fileChange, unchangedFiles } from "./file-outcome.ts";
import { type RenameFiles, renameFiles } from "./file-rename.schema.ts";
import { goneFiles } from "./removed-file.service.ts";

/** Renames and moves files of a draft (app M25). */
export interface FileRenames {
  /**
   * Renames all these files, or none of them.
   * @throws Failure 404, 403 (level, locked), 400 by field: no such file, file listed twice, name taken.
   */
  rename(caller: Caller, draftId: string, files: readonly { key: string; new_key: string }[]): Promise<void>;
  readonly commands: CommandHandler[];
}

interface Needs {
  host: Host;
  lookup: FileLookup;
  filesOptions: DraftFilesOptions;
}

interface Renaming {
  entry: FileEntryRow;
  /** The new name. */
  key: string;
}

class DraftFileRenames implements FileRenames {
  #host: Host;
  #lookup: FileLookup;
  #options: DraftFilesOptions;
  readonly commands: CommandHandler[] = [handles(renameFiles, (caller, input) => this.#run(caller, input))];

  constructor({ host, lookup, filesOptions }: Needs) {
    this.#host = host;
    this.#lookup = lookup;
    this.#options = filesOptions;
  }

  async rename(caller: Caller, draftId: string, files: readonly { key: string; new_key: string }[]): Promise<void> {
    const { db } = this.#host;
    const { draft, owner } = await this.#lookup.draft(db, caller, draftId, "edit");
    assertUnlocked(draft);
    const entries = await listEntries(db, owner);
    assertRenamable(entries, files);
    const names = new Map(files.map(({ key, new_key }) => [key, new_key]));
    const renamed = entries.flatMap(({ id, key }) => {
      const newKey = names.get(key);
      return newKey === undefined ? [] : [{ entryId: id, key, newKey }];
    });
    await this.#run(caller, { draftId: draft.id, files: renamed });
  }

  #run(caller: Caller, command: RenameFiles): Promise<null> {
    return this.#host.write(caller, renameFiles, command, async (tx, { now }) => {
      const { draft, owner } = await this.#lookup.draft(tx, caller, command.draftId, "edit");
      assertUnlocked(draft);
      const entries = await listEntries(tx, owner);
      const renamings = await this.#renamings(tx, caller, entries, command, now);
      const [first] = renamings;
      if (!first) {
        const ids = command.files.map(({ entryId }) => entryId);
        return entries.some(({ id }) => ids.includes(id)) ? unchangedFiles(draft) : goneFiles(tx, caller, draft, ids);
      }
      await updateKeys(tx, renamings, now);
      await this.#renameInOptions(tx, caller, draft, renamings, now);
      const summary = renamings.length === 1 ? `Rename ${first.entry.key} in` : `Rename ${renamings.length} files in`;
      return fileChange(draft, summary);
    });
  }

  /**
   * The files and their new names. Skips files that were deleted since the call. If another file has taken the name
   * since, a queued call gets a conflict name.
   * @throws Failure 400 for a taken name in a direct call.
   */
  async #renamings(
    tx: Tx,
    caller: Call,
    entries: readonly FileEntryRow[],
    { files }: RenameFiles,
    now: number,
  ): Promise<Renaming[]> {
    const names = new Map(files.map(({ entryId, newKey }) => [entryId, newKey]));
    const moving = entries.filter(({ id, key }) => (names.get(id) ?? key) !== key);
    const taken = new Set(entries.filter((entry) => !moving.includes(entry)).map(({ key }) => key));
    const username = (await findUsername(tx, caller.userId ?? "")) ?? "somebody";
    return moving.map((entry) => {
      const wanted = names.get(entry.id) ?? entry.key;
      if (taken.has(wanted) && !isDelayed(caller)) throw nameTaken(wanted);
      const key = taken.has(wanted) ? freeConflictName(wanted, username, dayOf(now), taken) : wanted;
      taken.add(key);
      return { entry, key };
    });
  }

  /** Replaces the names in the default preview and in the order of files (records 6.6). */
  async #renameInOptions(tx: Tx, caller: Caller, draft: DraftRow, renamings: Renaming[], now: number): Promise<void> {
    const names = new Map(renamings.map(({ entry, key }) => [entry.key, key]));
    const before: string[] = JSON.parse(draft.file_order);
    const { default_preview: preview } = draft;
    if (!before.some((key) => names.has(key)) && !(preview !== null && names.has(preview))) return;
    const order = before.map((key) => names.get(key) ?? key);
    const default_preview = preview === null ? null : (names.get(preview) ?? preview);
    await this.#options.change(tx, caller, draft, { default_preview, order }, now);
  }
}

/** @throws Failure 400 by field. */
function assertRenamable(entries: readonly FileEntryRow[], files: readonly { key: string; new_key: string }[]): void {
  assertPresent(
    entries,
    files.map(({ key }) => key),
  );
  const moving = new Set(files.map(({ key }) => key));
  const staying = entries.map(({ key }) => key).filter((key) => !moving.has(key));
  const [seen, taken] = [new Set<string>(), new Set(staying)];
  const problems: Problem[] = [];
  for (const [index, { key, new_key }] of files.entries()) {
    if (seen.has(key)) problems.push({ field: `${index}.key`, messages: [`File with key "${key}" is listed twice.`] });
    if (taken.has(new_key)) problems.push({ field: `${index}.new_key`, messages: [nameTaken(new_key).message] });
    seen.add(key);
    taken.add(new_key);
  }
  if (problems.length > 0) throw invalid(problems);
}

/**
 * Stores the new names. Names are unique in the database, so a file whose name is a new name of another file first gets
 * a temporary one. Two files can swap their names this way.
 */
async function updateKeys(tx: Tx, renamings: Renaming[], now: number): Promise<void> {
  const oldKeys = new Set(renamings.map(({ entry }) => entry.key));
  for (const { entry, key } of renamings)
    if (oldKeys.has(key)) await updateEntry(tx, entry.id, { key: `/${entry.id}` });
  for (const { entry, key } of renamings) {
    const mimetype = entry.status === "completed" ? guessType(key) : entry.mimetype;
    await updateEntry(tx, entry.id, { key, mimetype, updated: now });
  }
}

export const fileRenames = (needs: Needs): FileRenames => new DraftFileRenames(needs);
