import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { listConflicts } from "../../shared/drafts/conflict.repository.ts";
import { updateCall } from "../../shared/idempotency/idempotency.repository.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { Command } from "../../shared/kernel/command.ts";
import { committedHints } from "../../shared/kernel/committed.ts";
import type { Environment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Asked, Host, ObjectRef, Work, Written } from "../../shared/kernel/host.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import { requestContext } from "../../shared/kernel/request-context.ts";
import type { Settings } from "../../shared/kernel/settings.ts";
import type { SyncMark } from "../../shared/kernel/sync-mark.ts";
import { uuidV7 } from "../../shared/kernel/uuid.ts";
import { keepingBases } from "../sync/base.repository.ts";
import { findOperation, findWaitingWish, insertOperation, listMarks } from "../sync/operation.repository.ts";
import { keepUnsent, snapshotOf } from "../sync/snapshot.ts";
import { takeLeasedId } from "./lease.repository.ts";
import { sayInstead, takeBack } from "./taken-back.ts";

/** How the replica reaches the server, as far as writing needs it. */
export interface ServerLink {
  isOnline(): boolean;
  /** Something waits to be sent. */
  nudge(): void;
  /** Fetches what is new on the server, if it can be reached. */
  refresh(): Promise<void>;
  /**
   * Sends a recorded operation, and what it needs, now. Its outcome is the answer; undefined when the server could not
   * be reached: the operation then waits.
   * @throws Failure what the server refused with; the operation is gone then, its person has the answer.
   */
  settle(operationId: string): Promise<{ result: unknown } | undefined>;
}

export interface ReplicaHostOptions {
  db: Db;
  blobs: BlobStore;
  baseUrl: string;
  settings: Settings;
  environment: Environment;
  link: ServerLink;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

/** Thrown to take back a transaction whose work was only a check. */
class OnlyACheck<R> extends Error {
  readonly written: Written<R>;
  constructor(written: Written<R>) {
    super("rolled back on purpose");
    this.written = written;
  }
}

/** What is kept of a question to the server, for a repeated call. */
interface AskedBefore<R> {
  operation: string | null;
  result: R;
}

/** Takes the next stored result of a repeated call, if it has one. */
function earlierResult(): { result: unknown } | undefined {
  const context = requestContext.getStore();
  if (context?.kind !== "idempotent" || context.next >= context.results.length) return undefined;
  return { result: context.results[context.next++] };
}

async function keepResult(tx: Tx, result: unknown): Promise<void> {
  const context = requestContext.getStore();
  if (context?.kind !== "idempotent") return;
  const results = JSON.stringify([...context.results, result ?? null]);
  await updateCall(tx, context.userId, context.key, { results });
  context.results.push(result);
  context.next = context.results.length;
}

const bytesOf = (blobs: { size: number }[]): number => blobs.reduce((sum, { size }) => sum + size, 0);

/** The host of one person's copy: writes take effect here at once and are recorded to be sent. */
export class ReplicaHost implements Host {
  readonly role = "replica";
  readonly db: Db;
  readonly blobs: BlobStore;
  /** The server's, once it was reached. */
  settings: Settings;
  readonly baseUrl: string;
  readonly #options: ReplicaHostOptions;
  readonly #hints = committedHints();

  constructor(options: ReplicaHostOptions) {
    this.#options = options;
    this.db = options.db;
    this.blobs = options.blobs;
    this.settings = options.settings;
    this.baseUrl = options.baseUrl;
  }

  now(): number {
    return this.#options.environment.now();
  }

  #random(bytes: number): Buffer {
    return Buffer.from(this.#options.environment.random(bytes));
  }

  newUuid(): string {
    return uuidV7(Math.floor(this.now() / 1000), this.#random(10));
  }

  newToken(): string {
    return this.#random(32).toString("base64url");
  }

  newClientId(): number {
    return this.#random(4).readUInt32BE(0);
  }

  async takeRecordId(): Promise<string> {
    return (await takeLeasedId(this.db)) ?? recordIdFrom(this.#random(5));
  }

  onCommitted(listener: (touched: ObjectRef[]) => void): () => void {
    return this.#hints.onCommitted(listener);
  }

  /** Tells this process of changes that came from the server. */
  announce(touched: ObjectRef[]): void {
    this.#hints.announce(touched);
  }

  async write<I, R>(_caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<R> {
    const context = requestContext.getStore();
    if (context?.kind === "replay") {
      const written = await keepingBases(context.tx, () => work(context.tx, { now: context.now }));
      context.touched.push(...written.touched);
      return written.result;
    }
    const earlier = earlierResult();
    if (earlier) return earlier.result as R;
    const now = this.now();
    const written = await transaction(this.db, async (tx) => {
      if (command.endsDraft) await keepUnsent(tx, command.endsDraft(input));
      const outcome = await keepingBases(tx, () => work(tx, { now }));
      await this.#record(tx, command, input, outcome, now);
      if (outcome.touched.length > 0) await this.#options.project(tx, outcome.touched);
      await keepResult(tx, outcome.result);
      return outcome;
    });
    if (written.touched.length > 0) {
      this.announce(written.touched);
      this.#options.link.nudge();
    }
    return written.result;
  }

  async ask<I, R>(_caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<Asked<R>> {
    if (requestContext.getStore()?.kind === "replay") return { state: "queued" };
    const earlier = earlierResult();
    if (earlier) return this.#askedBefore(earlier.result as AskedBefore<R>);
    const now = this.now();
    const { link } = this.#options;
    const isOnline = link.isOnline();
    const written = isOnline ? await this.#checkUpToDate(work, now) : await this.#check(work, now);
    const { id, queued } = await transaction(this.db, async (tx) => {
      // Asked for twice out of reach, it waits once: the second would only be refused.
      const waiting = isOnline ? undefined : await findWaitingWish(tx, command.name, input, written.object);
      const recorded = waiting ?? (await this.#record(tx, command, input, written, now));
      await keepResult(tx, { operation: recorded ?? null, result: written.result });
      return { id: recorded, queued: await this.#queued(tx, written.object) };
    });
    if (id === undefined) return { state: "done", result: written.result };
    const settled = isOnline ? await link.settle(id) : undefined;
    if (settled) return { state: "done", result: settled.result as R };
    this.announce(written.touched);
    link.nudge();
    return queued;
  }

  async takeBack(object: { kind: string; id: string }, command: string, touched: ObjectRef[]): Promise<boolean> {
    const isTaken = await transaction(this.db, (tx) => takeBack(tx, object, command));
    if (isTaken) this.announce(touched);
    return isTaken;
  }

  isServerReachable(): boolean {
    return this.#options.link.isOnline();
  }

  /** A repeated call whose first answer was lost: the operation exists, only how it stands is to be told. */
  async #askedBefore<R>({ operation, result }: AskedBefore<R>): Promise<Asked<R>> {
    const row = operation === null ? undefined : await findOperation(this.db, operation);
    if (!row || row.state === "delivered") return { state: "done", result };
    const settled = this.#options.link.isOnline() ? await this.#options.link.settle(row.id) : undefined;
    if (settled) return { state: "done", result: settled.result as R };
    return this.#queued(this.db, { kind: row.object_kind, id: row.object_id });
  }

  /** What is asked for and out of reach waits, also where something else on the object is on its way (hosts-and-sync 3). */
  async #queued(db: Db, object: { kind: string; id: string }): Promise<{ state: "queued"; sync?: SyncMark }> {
    const mark = await this.syncMark(db, object);
    if (!mark) return { state: "queued" };
    return { state: "queued", sync: mark.state === "sending" ? { ...mark, state: "pending" } : mark };
  }

  async syncMark(db: Db, object: { kind: string; id: string }): Promise<SyncMark | undefined> {
    const rows = await listMarks(db, object);
    const isContent = object.kind === "draft" || object.kind === "record";
    const hasConflict = isContent && (await listConflicts(db, object.id)).length > 0;
    if (rows.length === 0 && !hasConflict) return undefined;
    const worst = rows.find((row) => row.state === "rejected") ?? rows.find((row) => row.state === "sending");
    const unsent = worst?.state === "rejected" || worst?.state === "sending" ? worst.state : "pending";
    return {
      // What needs the person stands before what goes by itself.
      state: hasConflict && unsent !== "rejected" ? "conflict" : unsent,
      operations: rows.map((row) => ({ id: row.id, kind: row.kind })),
      ...(worst?.reason ? { message: worst.reason } : {}),
    };
  }

  /** Writes the operation down beside its effect; nothing when nothing changed. */
  async #record<I, R>(tx: Tx, command: Command<I>, input: I, written: Written<R>, now: number) {
    const aggregate = written.touched[0];
    if (!aggregate) return undefined;
    const instead = written.unsaid && (await sayInstead(tx, written, written.unsaid));
    if (instead !== undefined) return instead;
    const id = this.newUuid();
    const blobs = written.blobs ?? [];
    const object = { object_kind: written.object.kind, object_id: written.object.id };
    // Of what the server decides later, the person keeps what she saw when she asked.
    const isAsked = command.delivery === "ask";
    const snapshot = isAsked ? await snapshotOf(tx, object) : null;
    await insertOperation(tx, {
      id,
      kind: command.name,
      version: command.version,
      payload: JSON.stringify(input),
      delivery: isAsked ? "ask" : "queue",
      ...object,
      aggregate_kind: aggregate.kind,
      aggregate_id: aggregate.id,
      title: written.title,
      blobs: JSON.stringify(blobs),
      bytes: bytesOf(blobs),
      state: "pending",
      attempts: 0,
      next_attempt: null,
      created: now,
      applied_seq: null,
      reason: null,
      refused: null,
      server: null,
      wire_id: id,
      snapshot,
    });
    return id;
  }

  /** Runs the work to see whether it would be allowed, takes it back, and says what it would have touched. */
  async #check<R>(work: Work<R>, now: number): Promise<Written<R>> {
    try {
      return await transaction(this.db, async (tx) => {
        throw new OnlyACheck(await work(tx, { now }));
      });
    } catch (error) {
      if (error instanceof OnlyACheck) return error.written;
      throw error;
    }
  }

  /** A refusal may come from knowing too little: it counts only after a look at the server's present state. */
  async #checkUpToDate<R>(work: Work<R>, now: number): Promise<Written<R>> {
    try {
      return await this.#check(work, now);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#options.link.refresh();
      return this.#check(work, now);
    }
  }
}
