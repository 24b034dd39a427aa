import type { Services } from "../../shared/api.ts";
import { createComment } from "../../shared/comments/comment.schema.ts";
import { type Tx, transaction } from "../../shared/database/open.ts";
import { editDraft } from "../../shared/drafts/draft.schema.ts";
import { listEntriesOfBlob } from "../../shared/files/file.repository.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host, ObjectRef } from "../../shared/kernel/host.ts";
import { keepCommentDraft, readCommentDraft } from "./comment-draft.repository.ts";
import {
  deleteOperations,
  findOperation,
  hasOpenReply,
  listRefused,
  listWaitingFrom,
  type Operation,
  updateOperation,
} from "./operation.repository.ts";
import { personIn } from "./person.ts";
import { rebase } from "./rebase.ts";
import type { Snapshot } from "./snapshot.ts";

export interface TrayOptions {
  host: Host;
  services: Services;
  handlers(): Parameters<typeof rebase>[0]["handlers"];
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Something is to be sent again. */
  nudge(): void;
}

/** What a copy became. */
export type Copied = { kind: "draft"; id: string } | { kind: "comment"; request: string; content: string };

export interface Tray {
  list(): Promise<Operation[]>;
  /** Sends the same intention against today's state. @throws Failure 404 */
  retry(id: string): Promise<Operation>;
  /** Makes a new draft, or a comment text to be sent, of what was refused. @throws Failure 404 */
  copy(id: string): Promise<Copied>;
  /** @throws Failure 404 */
  discard(id: string): Promise<void>;
  /**
   * Takes back what waits to be sent, and with it what was done after it on the same object: a decision, or work on a
   * comment that was never tried to be sent. What the server took of a decision while its answer was lost stays done:
   * the feed tells.
   * @throws Failure 404; 409 while it is being sent, for a comment that was sent or has replies, or for other work, which
   * is undone where it was done.
   */
  withdraw(id: string): Promise<void>;
}

/** The payload as the person would mean it today. */
async function renewed({ host, services }: TrayOptions, operation: Operation): Promise<unknown> {
  const payload = JSON.parse(operation.payload);
  const { db } = host;
  // Of an edit the changes count, whatever document they were made in.
  if (operation.kind === editDraft.name) return { ...payload, epoch: -Math.abs(payload.epoch) };
  if (operation.kind === "draft.publish") {
    const draft = await services.records.findDraft(db, payload.id);
    return { ...payload, expected: await services.publishing.hashOf(db, draft) };
  }
  if (payload.seen === undefined) return payload;
  const id = operation.aggregate_kind === "request" ? operation.aggregate_id : payload.id;
  const request = await db.selectFrom("request").select("status").where("id", "=", id).executeTakeFirst();
  return { ...payload, seen: request?.status ?? payload.seen };
}

async function copyDraft({ host, services }: TrayOptions, snapshot: Snapshot): Promise<Copied> {
  const caller = await personIn(host.db);
  const { files: options, ...input } = snapshot.input;
  const body = { ...input, pids: {}, files: { enabled: options.enabled } };
  const { id } = await services.drafts.createFrom(caller, body);
  const files = await filesInReach(host, snapshot.files);
  if (files.length > 0) await attach({ host, services }, caller, id, files);
  return { kind: "draft", id };
}

/** Those whose bytes are here, or which the server still gives: not what others attached and nobody opened here. */
async function filesInReach({ db, blobs }: Host, files: Snapshot["files"]): Promise<Snapshot["files"]> {
  const inReach: Snapshot["files"] = [];
  for (const file of files) {
    const isInReach = (await blobs.has(file.sha256)) || (await listEntriesOfBlob(db, file.sha256)).length > 0;
    if (isInReach) inReach.push(file);
  }
  return inReach;
}

/** The same bytes in the new draft: nothing is copied, and nothing is sent twice. */
async function attach(
  { host, services }: Pick<TrayOptions, "host" | "services">,
  caller: Caller,
  draftId: string,
  files: Snapshot["files"],
): Promise<void> {
  const entries = files.map((file) => ({ ...file, id: host.newUuid() }));
  const blank = { metadata: null, hidden: false, announced: null };
  const named = entries.map(({ id, key }) => ({ id, key, ...blank }));
  await services.files.init(caller, { draftId, bucketId: host.newUuid(), files: named });
  for (const { id, key, sha256, md5, size } of entries) {
    const ids = { draftId, entryId: id, fileId: host.newUuid(), versionId: host.newUuid() };
    await services.files.commit(caller, { ...ids, key, sha256, md5, size });
  }
}

/** Puts a refused comment and its files into the editor of its request, after what is being written there. */
async function copyComment(
  { db }: Host,
  request: string,
  payload: { content: string; files?: { file_id: string }[] },
): Promise<Copied> {
  const before = await readCommentDraft(db, request, "");
  const ids = (payload.files ?? []).map(({ file_id }) => file_id);
  const files = await db
    .selectFrom("event_file")
    .select(["id", "key", "original_filename as name", "size"])
    .where("request_id", "=", request)
    .where("id", "in", ids)
    .where("event_id", "is", null)
    .execute();
  const content = before.content.includes(payload.content) ? before.content : before.content + payload.content;
  const kept = before.files.filter(({ id }) => !ids.includes(id));
  await keepCommentDraft(db, request, "", { content, files: [...kept, ...files] });
  return { kind: "comment", request, content: payload.content };
}

/** @throws Failure 409 in words for what cannot be taken back. */
async function assertMayTakeBack(tx: Tx, operation: Operation): Promise<void> {
  const refusal = (message: string): Failure => new Failure("conflict", message);
  if (operation.state === "sending") throw refusal("This is being sent just now.");
  if (operation.delivery === "ask") return;
  if (!operation.kind.startsWith("comment.")) {
    throw refusal("Only decisions and comments can be taken back: other work is undone where it was done.");
  }
  if (operation.attempts > 0) throw refusal("This may have reached the server already: delete the comment instead.");
  if (operation.kind === createComment.name && (await hasOpenReply(tx, operation.object_id))) {
    throw refusal("A reply to this comment waits as well: take that one back first.");
  }
}

/** Refused work, until its person has dealt with it (hosts-and-sync 5, 8). */
export function createTray(options: TrayOptions): Tray {
  const { host } = options;

  async function require(id: string): Promise<Operation> {
    const operation = await findOperation(host.db, id);
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
      const operation = await require(id);
      const payload = JSON.stringify(await renewed(options, operation));
      await transaction(host.db, async (tx) => {
        await updateOperation(tx, id, { state: "pending", wire_id: host.newUuid(), payload });
        await rebaseOf(tx, operation);
      });
      options.nudge();
      return operation;
    },
    async copy(id) {
      const operation = await require(id);
      const payload = JSON.parse(operation.payload);
      const content = payload.body?.payload?.content;
      if (operation.snapshot !== null) return copyDraft(options, JSON.parse(operation.snapshot));
      if (typeof content !== "string") throw notFound("There is nothing in this that could be copied.");
      return copyComment(host, operation.aggregate_id, payload.body.payload);
    },
    async withdraw(id) {
      await transaction(host.db, async (tx) => {
        const operation = await findOperation(tx, id);
        if (operation?.state !== "pending" && operation?.state !== "sending") throw notFound();
        await assertMayTakeBack(tx, operation);
        const waiting = await listWaitingFrom(tx, operation);
        await deleteOperations(
          tx,
          waiting.map((row) => row.id),
        );
        await rebaseOf(tx, operation);
      });
      options.nudge();
    },
    async discard(id) {
      const operation = await require(id);
      await transaction(host.db, async (tx) => {
        await deleteOperations(tx, [id]);
        await rebaseOf(tx, operation);
      });
      options.nudge();
    },
  };
}
