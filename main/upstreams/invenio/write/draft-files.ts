import type { BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import { transaction } from "../../../../shared/database/open.ts";
import { derivedUuid } from "../../../../shared/files/derived-uuid.ts";
import type {
  CommitFile,
  DeleteAllFiles,
  DeleteFile,
  ImportFiles,
  InitFiles,
} from "../../../../shared/files/file.schema.ts";
import type { RestoreFile } from "../../../../shared/files/removed-file.schema.ts";
import { validateAnswer } from "../../../sync/validate-answer.ts";
import { filePath, filesPath } from "../file-paths.ts";
import { listRestoredAfter, nameEntry, upsertDigest } from "../places.repository.ts";
import { filesOf, md5Of, rowOf } from "../read/family.ts";
import { type TheirFile, theirFiles } from "../read/their-record.ts";
import type { Site } from "../site.ts";
import { findMoment, lateLeft } from "./journal.repository.ts";
import { announcementsOf, isTaken, keyThere, nameApart } from "./names-there.ts";
import { noSuchDraft, type Result, refused, refusedBy, unsure, type Writing, waits } from "./outcome.ts";

/** Stores the files of a draft as they are now, with the effect of operations. */
async function keepFiles(
  { site, attempts }: Writing,
  id: string,
  operationIds: readonly string[],
  listed?: readonly TheirFile[],
): Promise<Result> {
  const files = listed ?? (await site.filesOfDraft(id));
  const seq = await site.keepFiles(id, files, (tx, at) =>
    attempts.finish(tx, operationIds, "files", { seq: at, result: null }),
  );
  return seq === undefined ? noSuchDraft : { outcome: "applied", seq, result: null };
}

/** A file that is announced, or whose bytes have been brought. */
export type SentFile = { operationId: string } & ({ init: InitFiles } | { commit: CommitFile });

export const isSameFile = ({ checksum, size, status }: TheirFile, mine: { md5: string; size: number }): boolean =>
  status === "completed" && md5Of(checksum) === mine.md5 && size === mine.size;

/** The files that are announced, by the names that they have there. */
async function announcedBy(site: Site, draftId: string, sent: readonly SentFile[]) {
  const announced: { draftId: string; entryId: string; key: string; operationId: string }[] = [];
  for (const one of sent)
    for (const { id: entryId, key } of "init" in one ? one.init.files : [])
      announced.push({
        ...{ draftId, entryId, operationId: one.operationId },
        key: await keyThere(site, { draftId, entryId, key }),
      });
  return announced;
}

/** Whether these files are there already, whole. */
export async function areThere(site: Site, draftId: string, sent: readonly SentFile[]): Promise<boolean> {
  const files = await site.filesOfDraft(draftId);
  for (const { key } of await announcedBy(site, draftId, sent))
    if (!files.some((file) => file.key === key)) return false;
  for (const one of sent) {
    if (!("commit" in one)) continue;
    const key = await keyThere(site, one.commit);
    if (!files.some((file) => file.key === key && isSameFile(file, one.commit))) return false;
  }
  return sent.length > 0;
}

/** What to do about too many files. */
const packed = "Put files into a ZIP archive and add that instead.";

/**
 * Announces the files that are not there yet, all at once. One whose name another file has gets a name of its own.
 * @returns all files that are there then.
 */
async function announceAll(
  { site }: Writing,
  draftId: string,
  sent: readonly SentFile[],
): Promise<readonly TheirFile[] | Result> {
  const present = await site.filesOfDraft(draftId);
  const known = new Set(present.map(({ key }) => key));
  const keys: string[] = [];
  for (const file of await announcedBy(site, draftId, sent)) {
    const { key } = (await isTaken(site, file, present)) ? await nameApart(site, file, present) : file;
    keys.push(key);
  }
  const added = [...new Set(keys)].filter((key) => !known.has(key));
  if (added.length === 0) return present;
  const json = await announcementsOf(site, draftId, added);
  const written = await site.line.write("POST", filesPath(draftId), { json });
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused") {
    // The refusal names how many there would be.
    const isTooMany = written.status === 400 && written.message.includes(`${known.size + added.length} `);
    return refusedBy(site.options.name, isTooMany ? { ...written, message: `${written.message} ${packed}` } : written);
  }
  return validateAnswer(theirFiles, written.body).entries;
}

/** Gives entries that were announced here the ids that they have here. */
async function nameEntries(
  { site }: Writing,
  draftId: string,
  sent: readonly SentFile[],
  files: readonly TheirFile[],
): Promise<void> {
  for (const file of await announcedBy(site, draftId, sent)) {
    // Another file of that name must not go when this one is removed.
    if (await isTaken(site, file, files)) continue;
    await transaction(site.db, (tx) => nameEntry(tx, draftId, file.key, file.entryId, file.operationId));
  }
}

type BroughtFile = Pick<CommitFile, "draftId" | "entryId" | "key" | "sha256" | "md5" | "size">;

/** What became of a file whose bytes the uploader brings. Until they are there it waits. */
async function committed(
  { site, attempts }: Writing,
  { operationId, commit: command }: { operationId: string; commit: BroughtFile },
  files: readonly TheirFile[],
): Promise<Result | "there"> {
  const { draftId, sha256, md5, size } = command;
  const key = await keyThere(site, command);
  const there = files.find((file) => file.key === key);
  if (!there && !(await site.lookAtDraft(draftId))) return noSuchDraft;
  if (!there || !isSameFile(there, command)) return { outcome: "waits", blobs: [sha256] };
  const attempt = await attempts.find(operationId);
  if (attempt && !attempts.isDue(attempt)) return waits;
  const left = attempt ? lateLeft(attempt, site.line.thereMs) : 0;
  if (left > 0) {
    attempts.holdBack(operationId, site.options.now() + left);
    return waits;
  }
  await upsertDigest(site.db, { sha256, md5, size, record_id: draftId, key, is_draft: 1 });
  return "there";
}

/** Announcements and finished files of one draft, with one look and one call. */
export async function sendFilesAt(writing: Writing, draftId: string, sent: readonly SentFile[]): Promise<Result[]> {
  const files = await announceAll(writing, draftId, sent);
  if ("outcome" in files) {
    const [first, ...rest] = sent;
    // One of them is refused, and the others may not be.
    if (files.outcome === "rejected" && first && rest.length > 0)
      return [...(await sendFilesAt(writing, draftId, [first])), ...(await sendFilesAt(writing, draftId, rest))];
    return sent.map(() => files);
  }
  await nameEntries(writing, draftId, sent, files);
  const results: (Result | "there")[] = [];
  for (const one of sent) results.push("init" in one ? "there" : await committed(writing, one, files));
  const there = sent.filter((_, index) => results[index] === "there").map(({ operationId }) => operationId);
  const kept = there.length > 0 ? await keepFiles(writing, draftId, there, files) : waits;
  return results.map((result) => (result === "there" ? kept : result));
}

async function removeFiles(
  writing: Writing,
  operationId: string,
  draftId: string,
  entryIds: readonly string[],
): Promise<Result> {
  const { site } = writing;
  const shadow = filesOf(await site.shadowOf(draftId), "draft", draftId);
  const there = await site.filesOfDraft(draftId);
  const { position } = await findMoment(site.db, operationId);
  // A removal that is undone before it is sent never happens: the server keeps nothing of a removed file.
  const restored = await listRestoredAfter(site.db, draftId, position);
  const removed = shadow.filter(({ id }) => entryIds.includes(String(id)) && !restored.has(String(id)));
  // A name that cannot be addressed refuses all, before the first call.
  for (const { row, path } of removed.map((one) => ({ row: one, path: filePath(draftId, String(one.key)) }))) {
    const file = there.find(({ key }) => key === row.key);
    // Another file of that name is somebody else's.
    if (!file || (md5Of(file.checksum) ?? null) !== row.md5) continue;
    const written = await site.line.write("DELETE", path);
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "refused" && written.status !== 404) return refusedBy(site.options.name, written);
  }
  // Removing a file moves the revision of the draft.
  const draft = await site.lookAtDraft(draftId);
  if (!draft) return noSuchDraft;
  const files = await site.filesOfDraft(draftId);
  // A discard that waits was wanted for what the user saw.
  await site.noteUnseen(draft);
  await site.noteUnseenFiles(draftId, files);
  const known = await site.shadowOf(draftId);
  const seq = await site.keepDraft(draft, files, {
    document: await site.advance(await site.documentOf(draft, known), draft, known?.faults[draftId] ?? []),
    also: (tx, at) => writing.attempts.finish(tx, [operationId], "files", { seq: at, result: null }),
  });
  return { outcome: "applied", seq, result: null };
}

export const deleteFileAt = (writing: Writing, operationId: string, command: DeleteFile): Promise<Result> =>
  removeFiles(writing, operationId, command.draftId, [command.entryId]);

/** Only the files that the user saw: never all that are there. */
export const deleteAllFilesAt = (writing: Writing, operationId: string, command: DeleteAllFiles): Promise<Result> =>
  removeFiles(writing, operationId, command.draftId, command.entryIds);

/** Brings a removed file back. Its bytes are sent again, unless its removal was undone before it was sent. */
export async function restoreFileAt(
  writing: Writing,
  operationId: string,
  { draftId, entry }: RestoreFile,
): Promise<Result> {
  const { site } = writing;
  const files = await site.filesOfDraft(draftId);
  const commit = { draftId, entryId: entry.id, ...entry };
  const result = await committed(writing, { operationId, commit }, files);
  if (result !== "there") return result;
  const { id, metadata } = entry;
  const key = await keyThere(site, commit);
  if (metadata && !files.some((file) => file.key === key && file.metadata)) {
    const written = await site.line.write("PUT", filePath(draftId, key), { json: { metadata } });
    if (written.certainty === "unknown") return unsure(written);
  }
  await transaction(site.db, (tx) => nameEntry(tx, draftId, key, id, operationId));
  return keepFiles(writing, draftId, [operationId]);
}

/** The files of the version before a draft, as the user saw them. */
async function previousFiles(site: Site, draftId: string): Promise<BundleRow[]> {
  const shadow = await site.shadowOf(draftId);
  const index = Number(shadow && rowOf(shadow, "draft", draftId)?.version_index);
  const [previous] = (shadow?.bundle.rows.record ?? [])
    .filter((row) => Number(row.version_index) < index)
    .sort((a, b) => Number(b.version_index) - Number(a.version_index));
  return previous ? filesOf(shadow, "record", String(previous.id)) : [];
}

/**
 * Links the files of the last version. The server refuses that for a draft with files. After a lost answer these are the
 * imported ones; other files were added elsewhere, so the user is told.
 */
export async function importFilesAt(writing: Writing, operationId: string, command: ImportFiles): Promise<Result> {
  const { site } = writing;
  const { draftId, bucketId } = command;
  const present = await site.filesOfDraft(draftId);
  if (present.length === 0) {
    const written = await site.line.write("POST", `/api/records/${draftId}/draft/actions/files-import`);
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "refused") return refusedBy(site.options.name, written);
  } else {
    const isThere = ({ key, md5 }: BundleRow) =>
      present.some((file) => file.key === key && (md5Of(file.checksum) ?? null) === md5);
    const previous = await previousFiles(site, draftId);
    if (previous.length === 0 || !previous.every(isThere)) {
      await site.keepFiles(draftId, present);
      const { name } = site.options;
      return refused(
        409,
        `This draft has files on ${name} already. Remove them, then import those of the last version.`,
      );
    }
  }
  const files = await site.filesOfDraft(draftId);
  await transaction(site.db, async (tx) => {
    for (const { key } of files) await nameEntry(tx, draftId, key, derivedUuid("entry", bucketId, key), operationId);
  });
  return keepFiles(writing, draftId, [operationId]);
}
