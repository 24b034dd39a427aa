import type { Readable } from "node:stream";
import { blobGate } from "../blobs/blob-gate.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import { withMeter } from "../blobs/upload-meter.ts";
import type { Db, Tx } from "../database/open.ts";
import type { BlobRow, EventFileRow } from "../database/schema.ts";
import { guessType } from "../files/content-headers.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { isMisleading } from "../kernel/characters.ts";
import { Failure, forbidden, invalidField, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { mayRead } from "../requests/request.policy.ts";
import type { RequestService } from "../requests/request.service.ts";
import { type AttachFile, attachFile, deleteAttachment, largestAttachment } from "./comment.schema.ts";
import { assertMayComment } from "./comment.service.ts";
import { deleteFile, findFile, insertFile, listRequestsWithBytes, rememberBlob, sumFiles } from "./event.repository.ts";

export interface AttachmentService {
  /**
   * Stores bytes for a comment that will be created later.
   * @param callerNow authenticates the caller again after the bytes arrived.
   * @throws Failure 404, 403; 400 for more than 10 MB, or 100 MB per request.
   */
  upload(
    callerNow: () => Caller,
    requestId: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<EventFileRow>;
  /** @throws Failure 404 `File not found`, 403. */
  find(db: Db, caller: Caller, requestId: string, key: string): Promise<EventFileRow>;
  /** @throws Failure 404 `File not found`, 403. */
  open(db: Db, caller: Caller, requestId: string, key: string): Promise<{ file: EventFileRow; bytes: Readable }>;
  /** Whether the bytes belong to a conversation that the caller may read. */
  mayReadBytes(db: Db, caller: Caller, sha256: string): Promise<boolean>;
  /** Removes a file; for its uploader, the receiver and superusers. @throws Failure 404, 403. */
  remove(caller: Caller, input: { requestId: string; key: string }): Promise<void>;
  commands: CommandHandler[];
}

/** Bytes of all attachments of one conversation (requests 9). */
const maxBytesPerRequest = 100_000_000;

const tooLarge = (): Failure => new Failure("invalid", "File size exceeds limit");
const missingFile = (): Failure => notFound("File not found");

/** The file name with a part of the random token before its extension, so that equal names never collide. */
function keyFor(name: string, token: string): string {
  const suffix = token.replace(/[^a-zA-Z0-9]/g, "").slice(0, 8);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${suffix}${name.slice(dot)}` : `${name}-${suffix}`;
}

/** Writes the bytes. @returns how many there were. */
async function store(blobs: BlobStore, uploadId: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  await blobs.create(uploadId);
  const { offset, ended } = await blobs.append(uploadId, 0, bytes, {
    limitBytes: largestAttachment,
    onLimit: tooLarge,
  });
  if (ended !== "complete") throw new Failure("invalid", "The upload broke off.");
  return offset;
}

export interface AttachmentParts {
  host: Host;
  requests: RequestService;
  quota: StorageQuotaService;
  /** The bytes of a digest, if they are here and the caller may use them. */
  findBytes(db: Db, caller: Caller, sha256: string): Promise<BlobRow | undefined>;
}

const attachmentRef = (id: string) => ({ kind: "attachment", id });

/**
 * Size and digest of the bytes. They are known when they arrived by this host's own route. The server asks a replica for
 * those that it lacks, and believes only its own measure.
 */
async function factsOf(
  { host, findBytes }: AttachmentParts,
  tx: Tx,
  caller: Caller,
  input: AttachFile,
): Promise<Pick<AttachFile, "md5" | "size">> {
  if (!host.abilities.verifiesBytes || !isDelayed(caller)) return input;
  const blob = await findBytes(tx, caller, input.sha256);
  if (blob) return blob;
  throw new Failure("conflict", "The bytes of this file are not here yet.", {
    extra: { missing_blobs: [input.sha256] },
  });
}

/** A file that was removed before it was sent. */
const unsentRewrite = {
  command: attachFile.name,
  payload: (sent: unknown): AttachFile => ({ ...(sent as AttachFile), deleted: true }),
};

async function mayReadBytes(requests: RequestService, db: Db, caller: Caller, sha256: string): Promise<boolean> {
  for (const requestId of await listRequestsWithBytes(db, sha256)) {
    const { request, part } = await requests.require(db, caller, requestId);
    if (mayRead(request, part)) return true;
  }
  return false;
}

/** Files of conversations. Bytes are stored first; then a transaction links them. */
export function attachmentService(parts: AttachmentParts): AttachmentService {
  const { host, requests, quota } = parts;
  const { blobs } = host;

  const attach = (caller: Caller, input: AttachFile): Promise<string> =>
    host.write(caller, attachFile, input, async (tx, { now }) => {
      const reached = await requests.require(tx, caller, input.requestId);
      assertMayComment(reached);
      const { id, key, name, sha256 } = input;
      const request_id = reached.request.id;
      const touched: ObjectRef[] = [{ kind: "request", id: request_id }];
      const outcome = { result: id, object: attachmentRef(id), touched, title: `Attach “${name}”` };
      if (input.deleted) return outcome;
      const { md5, size } = await factsOf(parts, tx, caller, input);
      if (size > largestAttachment || (await sumFiles(tx, request_id)) + size > maxBytesPerRequest) throw tooLarge();
      if (await findFile(tx, request_id, "key", key)) throw invalidField("key", "There is such a file already.");
      await rememberBlob(tx, { sha256, md5, size, now });
      const row = { id, request_id, event_id: null, key, original_filename: name, sha256, md5, size };
      await insertFile(tx, { ...row, mimetype: guessType(name), uploader_id: caller.userId ?? "", created: now });
      return { ...outcome, blobs: [{ sha256, size }] };
    });

  const remove = (caller: Caller, input: { requestId: string; key: string }): Promise<void> =>
    host.write(caller, deleteAttachment, input, async (tx) => {
      const { request, part } = await requests.requireReadable(tx, caller, input.requestId);
      const file = await findFile(tx, request.id, "key", input.key);
      if (!file) throw missingFile();
      if (file.uploader_id !== caller.userId && !part.isReceiver && !part.isSuperuser) throw forbidden();
      await deleteFile(tx, file.id);
      const touched: ObjectRef[] = [{ kind: "request", id: request.id }];
      const outcome = { result: undefined, object: attachmentRef(file.id), touched };
      return { ...outcome, title: `Remove “${file.original_filename}”`, unsentRewrite };
    });

  async function find(db: Db, caller: Caller, requestId: string, key: string): Promise<EventFileRow> {
    const { request } = await requests.requireReadable(db, caller, requestId);
    const file = await findFile(db, request.id, "key", key);
    if (!file) throw missingFile();
    return file;
  }

  return {
    find,
    async upload(callerNow, requestId, name, bytes) {
      if (isMisleading(name)) throw invalidField("filename", "Not a valid file name.");
      const reached = await requests.require(host.db, callerNow(), requestId);
      assertMayComment(reached);
      const uploadId = host.newUuid();
      try {
        const key = keyFor(name, host.newToken());
        const id = host.newUuid();
        await withMeter(await quota.open(callerNow().userId ?? "", 0), false, bytes, async (body) => {
          const sizeBytes = await store(blobs, uploadId, body);
          await blobGate(blobs).link(async () => {
            const { sha256, md5 } = await blobs.seal(uploadId, sizeBytes);
            await attach(callerNow(), { id, requestId: reached.request.id, name, key, sha256, md5, size: sizeBytes });
          });
        });
        const file = await findFile(host.db, reached.request.id, "id", id);
        if (!file) throw missingFile();
        return file;
      } catch (error) {
        await blobs.drop(uploadId);
        throw error;
      }
    },
    async open(db, caller, requestId, key) {
      const file = await find(db, caller, requestId, key);
      return { file, bytes: await blobs.read(file.sha256) };
    },
    mayReadBytes: (db, caller, sha256) => mayReadBytes(requests, db, caller, sha256),
    remove,
    commands: [handles(attachFile, attach), handles(deleteAttachment, remove)],
  };
}
