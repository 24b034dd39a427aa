import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { listConflicts } from "../../shared/drafts/conflict.repository.ts";
import { keepCallResult } from "../../shared/idempotency/call-result.ts";
import { authorizeCommand, noteResult } from "../../shared/kernel/authorize-command.ts";
import { type Call, isReplay } from "../../shared/kernel/call.ts";
import { type Command, isPushed, type PushedCommand } from "../../shared/kernel/command.ts";
import type { CommitHints } from "../../shared/kernel/committed.ts";
import type { Environment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { CommitListener, Decision, Host, Work, WriteResult } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import type { SyncMark } from "../../shared/kernel/sync-mark.ts";
import { uuidV7 } from "../../shared/kernel/uuid.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { withBasesKept } from "../sync/base.repository.ts";
import type { Clocks } from "../sync/clocks.ts";
import { findOperation, findSameDecision, insertOperation, listMarks } from "../sync/operation.repository.ts";
import { snapshotOf } from "../sync/snapshot.ts";
import type { NotTaken } from "../sync/upstream.ts";
import { takeLeasedId } from "./lease.repository.ts";
import { markOf } from "./mark-of.ts";
import { replicaAbilities } from "./replica-abilities.ts";
import { endDraft, replaceUnsentDecision } from "./unsent-decision.ts";
import { rewriteUnsent, withdrawUnsent } from "./unsent-operation.ts";

/** The connection to the server, as far as writes need it. */
export interface ServerLink {
  isOnline(): boolean;
  /** Whether a decision that was made offline stays unsent until the user repeats it. */
  waitsForUser?(): boolean;
  /** Signals that an operation waits to be sent. */
  notify(): void;
  /** Fetches new changes from the server, if it can be reached. */
  refresh(): Promise<void>;
  /**
   * Sends a recorded operation now, with those it needs. @returns its outcome; undefined if the server cannot be
   * reached: the operation then stays in the outbox.
   * @throws Failure the server's refusal. The operation is deleted then, since the user has the answer.
   */
  waitForOutcome(operationId: string): Promise<{ result: unknown } | undefined>;
}

export interface ReplicaHostOptions {
  db: Db;
  blobs: BlobStore;
  hints: CommitHints;
  baseUrl: string;
  settings: Settings;
  environment: Environment;
  link: ServerLink;
  /** Values of a draft that a non-Carrel server did not store. */
  notTakenOf?(db: Db, draftId: string): Promise<NotTaken[]>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

/** Thrown to roll back the transaction of a dry run. */
class DryRun<R> extends Error {
  readonly effect: WriteResult<R>;
  constructor(effect: WriteResult<R>) {
    super("rolled back on purpose");
    this.effect = effect;
  }
}

/** What a repeated call needs of an operation that waits for the server's decision. */
interface EarlierDecision<R> {
  operation: string | null;
  result: R;
}

async function keepResult(tx: Tx, call: Call, result: unknown): Promise<void> {
  if (call.origin?.kind !== "idempotent") return;
  await keepCallResult(tx, call.origin, result);
  noteResult(call, result);
}

/** An effect, with the snapshot of the draft that it removed. */
type Recorded<R> = WriteResult<R> & { seen?: string | null };

/** The host of one user's replica: writes take effect here at once and enter the outbox. */
export class ReplicaHost implements Host {
  readonly role = "replica";
  readonly abilities: Host["abilities"];
  readonly db: Db;
  readonly blobs: BlobStore;
  /** The server's value, once the server was reached. */
  settings: Settings;
  readonly baseUrl: string;
  readonly #options: ReplicaHostOptions;
  /** By how much the server's clock is ahead, in microseconds. */
  #serverAhead = 0;

  constructor(options: ReplicaHostOptions) {
    this.#options = options;
    this.abilities = replicaAbilities(() => options.link.waitsForUser?.() === true);
    this.db = options.db;
    this.blobs = options.blobs;
    this.settings = options.settings;
    this.baseUrl = options.baseUrl;
  }

  now(): number {
    return this.#options.environment.now();
  }

  byServer(time: number): number {
    return time + this.#serverAhead;
  }

  /** Called with the time by both clocks, whenever the server says its own. */
  noteClocks({ server, here }: Clocks): void {
    this.#serverAhead = server - here;
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

  takeRecordIds(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.takeRecordId()));
  }

  announceCommit(): void {
    this.#options.hints.announce([]);
  }

  onCommitted(listener: CommitListener): () => void {
    return this.#options.hints.onCommitted(listener);
  }

  /** Signals changes from the server inside this process. */
  announce(touched: ObjectRef[]): void {
    this.#options.hints.announce(touched);
  }

  async write<I, R>(call: Call, command: Command<I>, input: I, work: Work<R>): Promise<R> {
    const earlier = authorizeCommand(call, command);
    if (!isPushed(command)) throw new Error(`${command.name} was not passed to the server`);
    const { origin } = call;
    if (origin?.kind === "replay") {
      const effect = await withBasesKept(origin.tx, () => work(origin.tx, { now: origin.now }));
      origin.touched.push(...effect.touched);
      return effect.result;
    }
    if (earlier) return earlier.result as R;
    const now = this.now();
    const effect = await transaction(this.db, async (tx) => {
      const seen = command.endsDraft ? await endDraft(tx, command.endsDraft(input)) : null;
      const outcome = await withBasesKept(tx, () => work(tx, { now }));
      await this.#record(tx, command, input, { ...outcome, seen }, now);
      if (outcome.touched.length > 0) await this.#options.project(tx, outcome.touched);
      await keepResult(tx, call, outcome.result);
      return outcome;
    });
    if (effect.touched.length > 0) {
      this.announce(effect.touched);
      this.#options.link.notify();
    }
    return effect.result;
  }

  async decide<I, R>(call: Call, command: PushedCommand<I>, input: I, work: Work<R>): Promise<Decision<R>> {
    const earlier = authorizeCommand(call, command);
    if (isReplay(call)) return { state: "queued" };
    if (earlier) return this.#decideAgain(earlier.result as EarlierDecision<R>);
    const now = this.now();
    const { link } = this.#options;
    const isOnline = link.isOnline();
    const effect = isOnline ? await this.#checkUpToDate(work, now) : await this.#check(work, now);
    const { id, isRepeated, queued } = await transaction(this.db, async (tx) => {
      const find = link.waitsForUser?.() ? replaceUnsentDecision : findSameDecision;
      const decision = { kind: command.name, object: effect.object, input };
      const waiting = await find(tx, decision);
      const recorded = waiting ?? (await this.#record(tx, command, input, effect, now));
      await keepResult(tx, call, { operation: recorded ?? null, result: effect.result });
      return { id: recorded, isRepeated: waiting !== undefined, queued: await this.#queued(tx, effect.object) };
    });
    if (id === undefined) return { state: "done", result: effect.result };
    if (isRepeated) return this.#decideAgain({ operation: id, result: effect.result });
    const outcome = isOnline ? await link.waitForOutcome(id) : undefined;
    if (outcome) return { state: "done", result: outcome.result as R };
    this.announce(effect.touched);
    link.notify();
    return queued;
  }

  async withdrawUnsent(object: { kind: string; id: string }, command: string, touched: ObjectRef[]): Promise<boolean> {
    const isWithdrawn = await transaction(this.db, (tx) => withdrawUnsent(tx, object, command));
    if (isWithdrawn) this.announce(touched);
    return isWithdrawn;
  }

  /** Does nothing: the server records operations in its audit log when they arrive. */
  async audit(): Promise<void> {}

  isServerReachable(): boolean {
    return this.#options.link.isOnline();
  }

  /** The state of an operation, for a repeated call: its first answer was lost, or the user pressed twice. */
  async #decideAgain<R>({ operation, result }: EarlierDecision<R>): Promise<Decision<R>> {
    const { link } = this.#options;
    const find = async () => (operation === null ? undefined : findOperation(this.db, operation));
    if ((await find())?.state === "applied" && link.isOnline()) await link.refresh();
    const row = await find();
    if (!row || row.state === "delivered") return { state: "done", result };
    const outcome = row.state !== "applied" && link.isOnline() ? await link.waitForOutcome(row.id) : undefined;
    if (outcome) return { state: "done", result: outcome.result as R };
    return this.#queued(this.db, { kind: row.object_kind, id: row.object_id });
  }

  /** Queues a request to the server while offline or behind another one on the object (hosts-and-sync 3). */
  async #queued(db: Db, object: { kind: string; id: string }): Promise<{ state: "queued"; sync?: SyncMark }> {
    const mark = await this.syncMark(db, object);
    if (!mark) return { state: "queued" };
    return { state: "queued", sync: mark.state === "sending" ? { ...mark, state: "pending" } : mark };
  }

  async syncMark(db: Db, object: { kind: string; id: string }): Promise<SyncMark | undefined> {
    const rows = await listMarks(db, object);
    const hasConflict = ["draft", "record"].includes(object.kind) && (await listConflicts(db, object.id)).length > 0;
    const notTaken = object.kind === "draft" ? ((await this.#options.notTakenOf?.(db, object.id)) ?? []) : [];
    return markOf(db, rows, { hasConflict, notTaken });
  }

  /** Records the operation together with its effect; nothing if nothing changed. */
  async #record<I, R>(tx: Tx, command: PushedCommand<I>, input: I, effect: Recorded<R>, now: number) {
    const aggregate = effect.touched[0];
    if (!aggregate) return undefined;
    const rewritten = effect.unsentRewrite && (await rewriteUnsent(tx, effect, effect.unsentRewrite));
    if (rewritten !== undefined) return rewritten;
    const id = this.newUuid();
    const blobs = effect.blobs ?? [];
    const object = { object_kind: effect.object.kind, object_id: effect.object.id };
    // For a later decision of the server, keeps the state that the user saw.
    const isDecision = command.delivery === "ask";
    const snapshot = isDecision ? await snapshotOf(tx, object) : (effect.seen ?? null);
    await insertOperation(tx, {
      id,
      kind: command.name,
      version: command.version,
      payload: JSON.stringify(input),
      delivery: isDecision ? "ask" : "queue",
      ...object,
      aggregate_kind: aggregate.kind,
      aggregate_id: aggregate.id,
      title: effect.title,
      blobs: JSON.stringify(blobs),
      bytes: blobs.reduce((sum, { size }) => sum + size, 0),
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

  /** Dry run: executes the work, rolls it back, and returns the objects it would have changed. */
  async #check<R>(work: Work<R>, now: number): Promise<WriteResult<R>> {
    try {
      return await transaction(this.db, async (tx) => {
        throw new DryRun(await work(tx, { now }));
      });
    } catch (error) {
      if (error instanceof DryRun) return error.effect;
      throw error;
    }
  }

  /** This replica may know too little to refuse, so a refusal counts only after fetching the server's present state. */
  async #checkUpToDate<R>(work: Work<R>, now: number): Promise<WriteResult<R>> {
    try {
      return await this.#check(work, now);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#options.link.refresh();
      return this.#check(work, now);
    }
  }
}
