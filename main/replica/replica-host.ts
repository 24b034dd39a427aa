import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { updateCall } from "../../shared/idempotency/idempotency.repository.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { committedHints } from "../../shared/kernel/committed.ts";
import type { Environment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Asked, Command, Host, ObjectRef, Work, Written } from "../../shared/kernel/host.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import { requestContext } from "../../shared/kernel/request-context.ts";
import type { Settings } from "../../shared/kernel/settings.ts";
import { uuidV7 } from "../../shared/kernel/uuid.ts";
import { deleteOperations, findOperation, insertOperation, listMarks } from "../sync/operation.repository.ts";
import { takeLeasedId } from "./lease.repository.ts";

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

/** The host of one person's copy: writes take effect here at once and are recorded to be sent. */
export function replicaHost(options: ReplicaHostOptions): Host {
  const { db, environment, link } = options;
  const hints = committedHints();
  const newUuid = (): string => uuidV7(Math.floor(environment.now() / 1000), environment.random(10));

  async function record(tx: Tx, command: Command<unknown>, input: unknown, written: Written<unknown>, now: number) {
    const aggregate = written.touched[0];
    if (!aggregate) return undefined;
    const id = newUuid();
    const blobs = written.blobs ?? [];
    await insertOperation(tx, {
      id,
      kind: command.name,
      version: command.version,
      payload: JSON.stringify(input),
      delivery: command.delivery === "ask" ? "ask" : "queue",
      object_kind: written.object.kind,
      object_id: written.object.id,
      aggregate_kind: aggregate.kind,
      aggregate_id: aggregate.id,
      title: written.title,
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
    });
    return id;
  }

  async function keepResult(tx: Tx, result: unknown): Promise<void> {
    const context = requestContext.getStore();
    if (context?.kind !== "idempotent") return;
    const results = JSON.stringify([...context.results, result ?? null]);
    await updateCall(tx, context.userId, context.key, { results });
    context.results.push(result);
    context.next = context.results.length;
  }

  async function write<I, R>(_caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<R> {
    const context = requestContext.getStore();
    if (context?.kind === "replay") {
      const written = await work(context.tx, { now: context.now });
      context.touched.push(...written.touched);
      return written.result;
    }
    if (context?.kind === "idempotent" && context.next < context.results.length) {
      return context.results[context.next++] as R;
    }
    const now = environment.now();
    const written = await transaction(db, async (tx) => {
      const outcome = await work(tx, { now });
      await record(tx, command as Command<unknown>, input, outcome, now);
      if (outcome.touched.length > 0) await options.project(tx, outcome.touched);
      await keepResult(tx, outcome.result);
      return outcome;
    });
    if (written.touched.length > 0) {
      hints.announce(written.touched);
      link.nudge();
    }
    return written.result;
  }

  /** Runs the work to see whether it would be allowed, takes it back, and says what it would have touched. */
  async function check<R>(work: Work<R>, now: number): Promise<Written<R>> {
    try {
      return await transaction(db, async (tx) => {
        throw new OnlyACheck(await work(tx, { now }));
      });
    } catch (error) {
      if (error instanceof OnlyACheck) return error.written;
      throw error;
    }
  }

  async function queue<I, R>(command: Command<I>, input: I, written: Written<R>, now: number) {
    return transaction(db, (tx) => record(tx, command as Command<unknown>, input, written, now));
  }

  async function ask<I, R>(_caller: Caller, command: Command<I>, input: I, work: Work<R>): Promise<Asked<R>> {
    if (requestContext.getStore()?.kind === "replay") return { state: "queued" };
    const now = environment.now();
    if (!link.isOnline()) {
      await queue(command, input, await check(work, now), now);
      link.nudge();
      return { state: "queued" };
    }
    const written = await checkUpToDate(work, now);
    const id = await queue(command, input, written, now);
    if (id === undefined) return { state: "done", result: written.result };
    const settled = await link.settle(id);
    if (settled) return { state: "done", result: settled.result as R };
    await withdrawIfUnsent(id, work, now);
    hints.announce(written.touched);
    return { state: "queued" };
  }

  /** A refusal may come from knowing too little: it counts only after a look at the server's present state. */
  async function checkUpToDate<R>(work: Work<R>, now: number): Promise<Written<R>> {
    try {
      return await check(work, now);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await link.refresh();
      return check(work, now);
    }
  }

  /** The server was lost before anything was sent: now the local check decides. */
  async function withdrawIfUnsent<R>(id: string, work: Work<R>, now: number): Promise<void> {
    const operation = await findOperation(db, id);
    if (!operation || operation.attempts > 0) return;
    try {
      await check(work, now);
    } catch (error) {
      await deleteOperations(db, [id]);
      throw error;
    }
  }

  return {
    role: "replica",
    db,
    blobs: options.blobs,
    settings: options.settings,
    baseUrl: options.baseUrl,
    now: () => environment.now(),
    newUuid,
    newToken: () => Buffer.from(environment.random(32)).toString("base64url"),
    newClientId: () => Buffer.from(environment.random(4)).readUInt32BE(0),
    takeRecordId: async () => (await takeLeasedId(db)) ?? recordIdFrom(environment.random(5)),
    write,
    ask,
    async syncMark(database, object) {
      const rows = await listMarks(database, object);
      if (rows.length === 0) return undefined;
      const worst = rows.find((row) => row.state === "rejected") ?? rows.find((row) => row.state === "sending");
      const operations = rows.map((row) => ({ id: row.id, kind: row.kind }));
      const message = worst?.reason;
      return {
        state: worst?.state === "rejected" || worst?.state === "sending" ? worst.state : "pending",
        operations,
        ...(message ? { message } : {}),
      };
    },
    onCommitted: hints.onCommitted,
  };
}
