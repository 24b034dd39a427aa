import { updateAccessLink } from "../../shared/access/access-link.schema.ts";
import { updateGrant } from "../../shared/access/grant.schema.ts";
import type { Services } from "../../shared/api.ts";
import { listUnattachedFiles } from "../../shared/comments/attachment.reader.ts";
import { createComment, deleteComment, updateComment } from "../../shared/comments/comment.schema.ts";
import type { CommentDrafts } from "../../shared/comments/comment-draft.service.ts";
import { renewSeenText } from "../../shared/comments/seen-comment.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { localOwner } from "../../shared/desk/desk-owner.ts";
import { discardDraft, editDraft, publishDraft } from "../../shared/drafts/draft.schema.ts";
import { listEntriesOfBlob } from "../../shared/files/file.repository.ts";
import { describeFile } from "../../shared/files/file.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { findRequest } from "../../shared/requests/request.reader.ts";
import { listOnAnnounced } from "./announced-files.repository.ts";
import {
  deleteOperations,
  findOperation,
  hasOpenReply,
  listRefused,
  listWaitingFrom,
  type Operation,
  updateOperation,
} from "./operation.repository.ts";
import { madeBy } from "./part.policy.ts";
import { listChangesOf } from "./part.repository.ts";
import { personIn } from "./person.ts";
import { rebase } from "./rebase.ts";
import type { Snapshot } from "./snapshot.ts";

export interface TrayOptions {
  host: Host;
  services: Services;
  commentDrafts: CommentDrafts;
  handlers(): Parameters<typeof rebase>[0]["handlers"];
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Called when there is something to send. */
  notify(): void;
}

/** What a copy created. */
export type CopyResult = { kind: "draft"; id: string } | { kind: "comment"; request: string; content: string };

export interface Tray {
  list(): Promise<Operation[]>;
  /**
   * Sends the same intention against the current state. A second retry changes nothing while the first may have arrived.
   * @throws Failure 404
   */
  retry(id: string): Promise<Operation>;
  /** Makes a new draft or an unsent comment from a rejected operation. @throws Failure 404 */
  copy(id: string): Promise<CopyResult>;
  /** @throws Failure 404; 409 while it is being sent again. */
  discard(id: string): Promise<void>;
  /**
   * Withdraws a pending operation and the later ones on the same object: decisions, and comments that were never sent.
   * If the server executed a decision and its answer was lost, the decision stands, and the feed will show it.
   * @throws Failure 404; 409 while it is being sent, for a comment that was sent or has replies, and for other work,
   * which the user undoes where it was made.
   */
  withdraw(id: string): Promise<void>;
}

/** Commands that the server executes only while the draft is as the user saw it. */
const namesSeenContent = new Set<string>([publishDraft.name, discardDraft.name]);

/** Commands that name the values that the user saw before. */
const replacesValues = new Set<string>([describeFile.name, updateAccessLink.name, updateGrant.name]);

/** The payload adapted to the current state. */
async function renewPayload({ host, services }: TrayOptions, operation: Operation): Promise<unknown> {
  const payload = JSON.parse(operation.payload);
  const { db } = host;
  // The changes count, whichever document they were made in.
  if (operation.kind === editDraft.name) return { ...payload, epoch: -Math.abs(payload.epoch) };
  if (namesSeenContent.has(operation.kind)) {
    const { draft } = await services.records.findRows(db, payload.id);
    return draft ? { ...payload, expected: await services.publishing.hashOf(db, draft) } : payload;
  }
  // The user saw what others wrote. Their own values take its place.
  if (replacesValues.has(operation.kind)) return { ...payload, seen: undefined };
  if (operation.kind === updateComment.name || operation.kind === deleteComment.name) return renewSeenText(db, payload);
  if (payload.seen === undefined) return payload;
  const id = operation.aggregate_kind === "request" ? operation.aggregate_id : payload.id;
  const request = await findRequest(db, id);
  const renewed = { ...payload, seen: request?.status ?? payload.seen };
  if (payload.expected === undefined || !request) return renewed;
  return { ...renewed, expected: await services.requestActions.seenContent(db, request, "accept") };
}

async function copyDraft({ host, services }: TrayOptions, snapshot: Snapshot): Promise<CopyResult> {
  const caller = await personIn(host.db);
  const { files: options, ...input } = snapshot.input;
  const body = { ...input, pids: {}, files: { enabled: options.enabled } };
  const { id } = await services.drafts.createFrom(caller, body);
  const files = await availableFiles(host, snapshot.files);
  if (files.length === 0) return { kind: "draft", id };
  await attach({ host, services }, caller, id, files);
  const isThere = (key: string | null): boolean => files.some((file) => file.key === key);
  const default_preview = isThere(options.default_preview) ? options.default_preview : null;
  const shown = { ...options, default_preview, order: options.order.filter(isThere) };
  await services.drafts.replace(caller, id, { ...body, files: shown });
  return { kind: "draft", id };
}

/**
 * Files whose bytes are here or which the server still offers. Excludes files of others that were never opened here.
 */
async function availableFiles({ db, blobs }: Host, files: Snapshot["files"]): Promise<Snapshot["files"]> {
  const available: Snapshot["files"] = [];
  for (const file of files) {
    const isAvailable = (await blobs.has(file.sha256)) || (await listEntriesOfBlob(db, file.sha256)).length > 0;
    if (isAvailable) available.push(file);
  }
  return available;
}

/** Links the same blobs to the new draft, without copying or uploading. */
async function attach(
  { host, services }: Pick<TrayOptions, "host" | "services">,
  caller: Caller,
  draftId: string,
  files: Snapshot["files"],
): Promise<void> {
  const entries = files.map((file) => ({ ...file, id: host.newUuid() }));
  const named = entries.map(({ id, key, metadata = null, hidden = false }) => ({
    ...{ id, key, metadata, hidden },
    announced: null,
  }));
  await services.files.init(caller, { draftId, bucketId: host.newUuid(), files: named });
  for (const { id, key, sha256, md5, size } of entries) {
    const ids = { draftId, entryId: id, fileId: host.newUuid(), versionId: host.newUuid() };
    await services.files.commit(caller, { ...ids, key, sha256, md5, size });
  }
}

interface CommentText {
  content: string;
  files?: { file_id: string }[];
}

/** What a rejected comment says after the changes that wait for it; undefined for work without a text. */
async function textOf(db: Db, operation: Operation): Promise<CommentText | undefined> {
  const texts = [operation, ...(await listChangesOf(db, madeBy(operation)))].map(
    ({ payload }) => JSON.parse(payload).body?.payload,
  );
  return texts.findLast((payload) => typeof payload?.content === "string");
}

/** Unsent operations on what a discarded one announces or makes. */
async function listPointless(tx: Tx, operation: Operation): Promise<string[]> {
  const changes = await listChangesOf(tx, madeBy(operation));
  return [...(await listOnAnnounced(tx, operation)), ...changes.map(({ id }) => id)];
}

/** Adds a rejected comment and its files to the editor of its request, after the text that is there. */
async function copyComment(
  { host: { db }, commentDrafts }: TrayOptions,
  request: string,
  payload: CommentText,
): Promise<CopyResult> {
  const editor = { owner: localOwner, request, place: "" };
  const before = await commentDrafts.read(editor);
  const ids = (payload.files ?? []).map(({ file_id }) => file_id);
  const files = await listUnattachedFiles(db, request, ids);
  const content = before.content.includes(payload.content) ? before.content : before.content + payload.content;
  const kept = before.files.filter(({ id }) => !ids.includes(id));
  await commentDrafts.keep(editor, { content, files: [...kept, ...files] }, before);
  return { kind: "comment", request, content: payload.content };
}

const refusal = (message: string): Failure => new Failure("conflict", message);
const isBeingSent = (): Failure => refusal("This is being sent right now. Wait until it has been sent.");

/** @throws Failure 409 for operations that cannot be withdrawn. */
async function assertMayWithdraw(tx: Tx, operation: Operation): Promise<void> {
  if (operation.state === "sending") throw isBeingSent();
  if (operation.delivery === "ask") return;
  if (!operation.kind.startsWith("comment.")) {
    throw refusal("Only decisions and comments can be taken back. Undo other changes where you made them.");
  }
  if (operation.attempts > 0) throw refusal("This comment may have reached the server already. Delete it instead.");
  if (operation.kind === createComment.name && (await hasOpenReply(tx, operation.object_id))) {
    throw refusal("A reply to this comment is also unsent. Take back the reply first.");
  }
}

/** Whether an operation was retried before and may have arrived. Under another id it would take effect twice. */
async function isUnderWay(tx: Tx, id: string): Promise<boolean> {
  const operation = await findOperation(tx, id);
  return operation?.state !== "rejected" && operation?.attempts !== 0;
}

/** Rejected operations, until the user has dealt with them (hosts-and-sync 5, 8). */
export function createTray(options: TrayOptions): Tray {
  const { host } = options;

  async function require(db: Db, id: string): Promise<Operation> {
    const operation = await findOperation(db, id);
    const isOver = operation?.state === "applied" || operation?.state === "delivered";
    if (!operation || operation.refused === null || isOver) throw notFound();
    return operation;
  }

  async function rebaseOf(tx: Tx, operation: Operation): Promise<void> {
    const ref = { kind: operation.aggregate_kind, id: operation.aggregate_id } as ObjectRef;
    const caller = await personIn(tx);
    await options.project(tx, await rebase({ tx, caller, handlers: options.handlers() }, ref));
  }

  return {
    list: () => listRefused(host.db),
    async retry(id) {
      const operation = await require(host.db, id);
      const payload = JSON.stringify(await renewPayload(options, operation));
      await transaction(host.db, async (tx) => {
        if (await isUnderWay(tx, id)) return;
        await updateOperation(tx, id, { state: "pending", wire_id: host.newUuid(), payload, attempts: 0 });
        await rebaseOf(tx, operation);
      });
      options.notify();
      return operation;
    },
    async copy(id) {
      const operation = await require(host.db, id);
      if (operation.snapshot !== null) return copyDraft(options, JSON.parse(operation.snapshot));
      const text = await textOf(host.db, operation);
      if (text === undefined) throw notFound("This change has no content that could be copied.");
      return copyComment(options, operation.aggregate_id, text);
    },
    async withdraw(id) {
      await transaction(host.db, async (tx) => {
        const operation = await findOperation(tx, id);
        if (operation?.state !== "pending" && operation?.state !== "sending") throw notFound();
        await assertMayWithdraw(tx, operation);
        const waiting = await listWaitingFrom(tx, operation);
        await deleteOperations(
          tx,
          waiting.map((row) => row.id),
        );
        await rebaseOf(tx, operation);
      });
      options.notify();
    },
    async discard(id) {
      await transaction(host.db, async (tx) => {
        const operation = await require(tx, id);
        if (operation.state === "sending") throw isBeingSent();
        await deleteOperations(tx, [id, ...(await listPointless(tx, operation))]);
        await rebaseOf(tx, operation);
      });
      options.notify();
    },
  };
}
