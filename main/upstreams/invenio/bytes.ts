import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { BlobFacts, BlobStore } from "../../../shared/blobs/blob-store.ts";
import { Failure, type FailureKind } from "../../../shared/kernel/failure.ts";
import { isObject } from "../../../shared/kernel/json.ts";
import type { ByteRange } from "../../../shared/kernel/ranges.ts";
import { ServerError, UnclearAnswer } from "../../sync/transport.ts";
import { missingBytes } from "../../sync/uploader.ts";
import type { SendProgress, UpstreamBytes, WantedBytes } from "../../sync/upstream.ts";
import { Archives, maxWholeBytes } from "./archives.ts";
import { contentPath, filePath, filesPath } from "./file-paths.ts";
import { findPlace, listWanted, listWantedKeys, upsertDigest, type WantedFile } from "./places.repository.ts";
import { filesOf, standInDigest } from "./read/family.ts";
import { type TheirFile, theirFile } from "./read/their-record.ts";
import { SlowedDown, type Written } from "./rest-line.ts";
import type { Site } from "./site.ts";
import { answerMsOf } from "./upload.policy.ts";
import { isSameFile } from "./write/draft-files.ts";
import { noteLateBytes } from "./write/journal.repository.ts";
import { announcementsOf, keyThere, nameApart } from "./write/names-there.ts";

const permanent: Record<number, FailureKind> = { 400: "invalid", 403: "forbidden", 413: "too_large" };
const maxTries = 3;
/** How long no byte may go before an upload counts as broken. */
const stalledMs = 120_000;
/** Waits before looking what became of a call without an answer. */
const lostMs = [500, 2_000, 8_000] as const;

/** @throws Failure if the server will never take the file; ServerError to try again. */
function assertDone(site: Site, written: Written): void {
  if (written.certainty === "done") return;
  if (written.certainty === "unknown") throw new ServerError(written.why);
  const kind = permanent[written.status];
  if (kind) throw new Failure(kind, `${site.options.name} did not take this file: ${written.message}`);
  throw new ServerError(written.message);
}

async function* counted(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void | Promise<void>) {
  for await (const chunk of source) {
    yield chunk;
    await onBytes(chunk.length);
  }
}

/** How long a look at the entry of a file counts. */
const lookMicros = 5_000_000;

/** Whether the server has lost a completed file that somebody had put there (F10). */
function hasReplaced(put: Written): boolean {
  const { status, errors } = (put.certainty === "done" && isObject(put.body) && put.body) || {};
  return status === "completed" && typeof errors === "string";
}

/** @returns what the server has of the file then, by its own words. */
async function putBytes(
  site: Site,
  blobs: BlobStore,
  file: WantedFile,
  { progress, lost }: { progress: SendProgress; lost: number },
): Promise<TheirFile | undefined> {
  const { draftId, key, sha256, size } = file;
  progress.onArrived(0);
  let sent = 0;
  const source = counted(await blobs.read(sha256), (count) => {
    sent += count;
    progress.onArrived(Math.min(sent, size));
    return progress.onSent(sent);
  });
  const answerMs = answerMsOf(size, lost);
  const options = { bytes: { size, source, answerMs }, timeoutMs: stalledMs };
  const put = await site.line.write("PUT", `${filePath(draftId, key)}/content`, options);
  if (put.certainty === "unknown" && put.isLate)
    await noteLateBytes(site.db, file.operationId, site.options.now(), {
      thereMs: site.line.thereMs,
      lateMs: answerMs,
    });
  // The whole file is not sent again at once, since other files can go first.
  if (put.certainty === "unknown" && !put.isLate) throw new UnclearAnswer(put.why);
  assertDone(site, put);
  if (hasReplaced(put)) {
    const { name } = site.options;
    const message = `Somebody put another file “${key}” into this draft while yours was on its way, and ${name} has lost that one. Tell them, then send yours again.`;
    throw new Failure("conflict", message);
  }
  const commit = () => site.line.write("POST", `${filePath(draftId, key)}/commit`, { timeoutMs: answerMs });
  const written = await site.writes.run(draftId, commit);
  assertDone(site, written);
  return written.certainty === "done" ? theirFile.safeParse(written.body).data : undefined;
}

/**
 * Announces a file, with those of the same draft that follow it.
 * @returns whether the draft is there.
 */
async function announceWanted(
  site: Site,
  { draftId, key }: WantedFile,
  present: readonly TheirFile[],
): Promise<boolean> {
  const known = new Set(present.map((file) => file.key));
  const wanted = (await listWantedKeys(site.db, draftId)).filter((one) => one !== key && !known.has(one));
  const post = async (keys: readonly string[]) =>
    site.line.write("POST", filesPath(draftId), { json: await announcementsOf(site, draftId, keys) });
  let written = await post([key, ...wanted]);
  if (written.certainty === "done") site.announced.set(draftId, { at: site.options.now(), keys: new Set(wanted) });
  // One of the others is refused.
  else if (written.certainty === "refused" && wanted.length > 0) written = await post([key]);
  // The draft was deleted, so its operations will be rejected. Other files must not wait for this one.
  if (written.certainty === "refused" && written.status === 404) return false;
  assertDone(site, written);
  return true;
}

/** Bytes of a source from `start` to before `end`; the rest is cut off. */
async function* part(source: Readable, { start, end }: ByteRange) {
  let at = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    if (at + chunk.length > start) yield chunk.subarray(Math.max(0, start - at), end - at);
    at += chunk.length;
    if (at >= end) return;
  }
}

/** Stock servers answer a range with the whole file (upstreams F13). @throws Failure for a large file */
function partOfWhole(site: Site, whole: IncomingMessage, key: string, range: ByteRange): Readable {
  const size = Number(whole.headers["content-length"]);
  if (size <= maxWholeBytes) return Readable.from(part(whole, range), { objectMode: false });
  whole.destroy();
  throw new Failure(
    "unavailable",
    `${site.options.name} gives this file only as a whole. Download “${key}” once: then its contents are shown here.`,
  );
}

/**
 * Makes the entry ready to take bytes. It looks first: a PUT to a completed file makes the server lose it, and the entry
 * may have been announced a moment ago. If another file has its name, it gets a name of its own.
 * @param damaged what arrived damaged from here under that name
 * @returns the file to send, by its name there; undefined if it has the bytes already, or the draft is gone.
 */
async function announce(
  site: Site,
  blobs: BlobStore,
  wanted: WantedFile,
  damaged: TheirFile | undefined,
): Promise<WantedFile | undefined> {
  // The outbox may have given it another name since.
  const file = { ...wanted, key: await keyThere(site, wanted) };
  const { draftId, key } = file;
  // Announced a moment ago from here, and nothing was sent since.
  const announced = site.announced.get(draftId);
  const age = site.options.now() - (announced?.at ?? 0);
  if (announced?.keys.delete(key) && age >= 0 && age < lookMicros) return file;
  const present = await site.filesOfDraft(draftId);
  const there = present.find((one) => one.key === key);
  if (there && isSameFile(there, file)) return undefined;
  if (!(await blobs.has(file.sha256))) throw missingBytes();
  let sent = file;
  if (there?.status === "completed") {
    if (!there.checksum || there.checksum !== damaged?.checksum) sent = await nameApart(site, file, present);
    else assertDone(site, await site.line.write("DELETE", filePath(draftId, key)));
  }
  if (there?.status !== "pending") return (await announceWanted(site, sent, present)) ? sent : undefined;
  return sent;
}

/**
 * Brings the bytes of a file and compares their MD5 afterwards.
 * @throws Unreachable to try again, UnclearAnswer after other files; Failure if the server will never take the file.
 */
async function sendFile(site: Site, blobs: BlobStore, wanted: WantedFile, progress: SendProgress): Promise<void> {
  const { draftId, size } = wanted;
  let file = wanted;
  let [times, lost] = [0, 0];
  for (let damaged: TheirFile | undefined; ; ) {
    try {
      const next = await site.writes.run(draftId, () => announce(site, blobs, file, damaged));
      if (!next) break;
      file = next;
      if (damaged && ++times === maxTries)
        throw new Failure("invalid", `“${file.key}” arrived damaged at ${site.options.name} three times.`);
      damaged = await putBytes(site, blobs, file, { progress, lost });
      if (damaged && isSameFile(damaged, file)) break;
    } catch (error) {
      if (!(error instanceof ServerError) || error instanceof SlowedDown || error instanceof UnclearAnswer) throw error;
      const waitMs = lostMs[lost++];
      if (waitMs === undefined) throw new UnclearAnswer(error.message);
      await site.options.sleep(waitMs);
    }
  }
  progress.onArrived(size);
}

/** Bytes of files, which the server names by their MD5 and by the entry of a draft. */
export function invenioBytes(site: Site): UpstreamBytes {
  const archives = new Archives(site);
  return {
    async has(sha256) {
      const files = await listWanted(site.db, sha256);
      const shadows = await Promise.all(files.map(({ draftId }) => site.shadowOf(draftId)));
      // A removal that was undone before it was sent needs no bytes.
      const isThere = ({ draftId, key, md5 }: WantedFile, index: number): boolean =>
        filesOf(shadows[index], "draft", draftId).some((row) => row.key === key && row.md5 === md5);
      return files.length > 0 && files.every(isThere);
    },
    async send(blobs, { sha256 }: WantedBytes, progress) {
      for (const file of await listWanted(site.db, sha256)) {
        // A draft that is not there yet gets its files later: `file.commit` asks for the bytes again.
        const shadow = await site.shadowOf(file.draftId);
        const isThere = shadow?.revisions[`draft:${file.draftId}`] !== undefined;
        if (isThere && !(await site.isEdit(file.draftId))) await sendFile(site, blobs, file, progress);
      }
    },
    onSendFailed() {},
    async read(sha256: string, range?: ByteRange): Promise<Readable | undefined> {
      const place = await findPlace(site.db, sha256);
      if (!place) return undefined;
      const part: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {};
      const answer = await site.line.open(contentPath(place), { accept: "*/*", ...part });
      if (range) archives.noteRange(answer.statusCode);
      if (answer.statusCode === (range ? 206 : 200)) return answer;
      if (range && answer.statusCode === 200) return partOfWhole(site, answer, place.key, range);
      answer.destroy();
      if (answer.statusCode !== 403) return undefined;
      await site.line.assertToken();
      throw new Failure("forbidden", "Permission denied.");
    },
    listArchive: (sha256) => archives.list(sha256),
    readMember: (sha256, key) => archives.read(sha256, key),
    async md5Of(sha256) {
      const { md5, size } = (await findPlace(site.db, sha256)) ?? {};
      if (!md5 || size === null || size === undefined) return undefined;
      return standInDigest(site.options.library, md5, size) === sha256 ? md5 : undefined;
    },
    async learned(standIn: string, { sha256, md5, sizeBytes }: BlobFacts) {
      const place = await findPlace(site.db, standIn);
      if (!place) return;
      const { owner_id: record_id, key } = place;
      const is_draft = place.owner_kind === "draft" ? 1 : 0;
      await upsertDigest(site.db, { sha256, md5, size: sizeBytes, record_id, key, is_draft });
      await site.keepDigest(record_id, standIn, sha256);
    },
  };
}
