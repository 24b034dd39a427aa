import { type Tx, transaction } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { BatchSize } from "./batch-size.ts";
import { findByWireId, type Operation, updateOperation } from "./operation.repository.ts";
import { sendable } from "./order.policy.ts";
import { recall } from "./person.repository.ts";
import type { PutAside } from "./put-aside.ts";
import { aggregateOf, blobsOf, type RefusalOptions, rebaseAll, refuse } from "./refusal.ts";
import { rename } from "./remap.ts";
import { endSending, listOpenWithTopics, startSending, withdrawSending } from "./sending.repository.ts";
import { startOver } from "./start-over.ts";
import { Unreachable } from "./transport.ts";
import type { Outgoing, Upstream, UpstreamOutcome } from "./upstream.ts";
import { InvalidAnswer } from "./validate-answer.ts";

export interface PusherOptions extends RefusalOptions {
  /** Whether the server is known to have these bytes. */
  isOnServer(sha256: string): boolean;
  /** Messages for operations whose command the server does not know, by id. They and their dependants wait. */
  unsupported: Map<string, string>;
  /** Operations that failed alone, by id. They and their dependants wait, and others are sent. */
  putAside: PutAside;
  /** The server lacks these bytes. */
  onMissing(sha256: string): void;
  /** The server was restored from a backup: everything is fetched and sent again. */
  onStartOver(): void;
}

type Sending = Pick<Upstream, "probe" | "push" | "mayGo" | "sendsInTurn" | "listUnconfirmed">;

export interface Pusher {
  /**
   * Sends one batch.
   * @returns how many operations have an outcome or turned out to be unsupported.
   */
  push(upstream: Sending): Promise<number>;
}

const batchOperations = 100;
const firstLookOperations = 400;
/** How long the server may take to show that it answers. */
const probeMs = 5000;
/** After so many failures in a row, the server counts as offline and the back-off applies. */
const failuresBeforePause = 5;
/** Below the usual limit of proxies, 1 MiB, with the rest of the body. */
const batchBytes = 1_000_000;
const envelopeBytes = 200;

/** At most this many operations, and at least one. */
function firstBatch(operations: Operation[], most: number): Operation[] {
  let bytes = 0;
  return operations.slice(0, most).filter((operation, index) => {
    bytes += Buffer.byteLength(operation.payload) + envelopeBytes;
    return index === 0 || bytes <= batchBytes;
  });
}

const toWire = ({ wire_id, kind, version, payload }: Operation) => ({
  id: wire_id,
  kind,
  version,
  payload: JSON.parse(payload),
});

/** Whether the server has the bytes of an operation and knows its command. */
const isReady = ({ isOnServer, unsupported }: PusherOptions, operation: Operation): boolean =>
  !unsupported.has(operation.id) && blobsOf(operation).every(({ sha256 }) => isOnServer(sha256));

/** Whether the server does not know the command of the first operation. It answers those before such a one normally. */
const isUnsupported = (error: unknown, { kind }: Operation): error is Failure =>
  error instanceof Failure && error.kind === "upgrade_required" && error.message.includes(`'${kind}'`);

/** @throws InvalidAnswer for outcomes of operations that are not in the batch. */
function assertOutcomesOfBatch(batch: readonly Operation[], outcomes: readonly UpstreamOutcome[]): void {
  const sent = new Set(batch.map(({ wire_id }) => wire_id));
  for (const { id } of outcomes) if (!sent.delete(id)) throw new InvalidAnswer("outcomes: of what was not sent");
}

/** Failures that say nothing about the operations: the user must act, or the server refuses everything for now. */
const generalFailures = new Set<string>(["unauthorized", "upgrade_required", "too_many"]);
const generalStatuses = new Set([429, 503, 507]);

/** Whether the content of a batch may be the cause: its size, its time, or one operation. */
function isOfBatch(error: unknown): error is Failure | Unreachable {
  if (error instanceof Failure) return !generalFailures.has(error.kind);
  return error instanceof Unreachable && !generalStatuses.has(error.status ?? 0);
}

/** Why an operation waits that failed alone, for the user. */
function reasonFor(status: number | undefined): string {
  if (status === undefined)
    return "The connection fails while this is sent. It will be sent again, and other work first.";
  if (status === 413)
    return "This is too large for a proxy between this computer and the server. It stays here and will be sent again. Other work goes on.";
  return `The server, or a proxy, answered this with the error ${status}. It stays here and will be sent again. Other work goes on.`;
}

/**
 * Operations that the server did not execute because it ended the batch early: after an operation whose id was taken,
 * or after the first one without an outcome.
 */
function listNotReached(batch: readonly Operation[], outcomes: readonly UpstreamOutcome[]): string[] {
  const last = outcomes.at(-1);
  const isRenamed =
    last !== undefined &&
    (last.names !== undefined || (last.outcome === "rejected" && last.refusal.taken !== undefined));
  return batch.slice(outcomes.length + (isRenamed ? 0 : 1)).map(({ id }) => id);
}

/** Starts a batch only after the previous one has ended, for an upstream with `sendsInTurn`. */
function serializePushes(pushOne: Pusher["push"]): Pusher {
  let last: Promise<unknown> = Promise.resolve();
  return {
    push(upstream) {
      if (!upstream.sendsInTurn) return pushOne(upstream);
      const next = last.then(() => pushOne(upstream));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** Reads only as many operations as needed. An operation depends only on older ones. */
async function chooseBatch(
  options: PusherOptions,
  tx: Tx,
  { mayGo = () => true }: Pick<Sending, "mayGo">,
  unconfirmed: ReadonlySet<string>,
  most: number,
): Promise<Operation[]> {
  const { putAside } = options;
  for (let limit = firstLookOperations; ; limit *= 4) {
    const listed = await listOpenWithTopics(tx, limit);
    const oldest = listed.filter(({ wire_id }) => !unconfirmed.has(wire_id));
    const last = new Map(oldest.map(({ object_id, created }) => [object_id, created]));
    const outgoing = (operation: Operation): Outgoing => ({
      ...operation,
      lastOnObject: last.get(operation.object_id) ?? operation.created,
    });
    const maySend = (operation: Operation) => isReady(options, operation) && mayGo(outgoing(operation));
    const ready = sendable(oldest, (operation) => !putAside.has(operation.id) && maySend(operation));
    const isAll = listed.length < limit;
    if (ready.length >= batchOperations || (isAll && ready.length > 0)) return firstBatch(ready, most);
    if (!isAll) continue;
    putAside.keepOnly(new Set(listed.filter(({ state }) => state !== "rejected").map(({ id }) => id)));
    // What failed alone goes alone, after everything else.
    const again = sendable(oldest, (operation) => !putAside.isWaiting(operation.id) && maySend(operation));
    return again.slice(0, 1);
  }
}

/** Finds the operation that makes a batch fail: after a failure they are sent one by one. */
class Isolation {
  #size = new BatchSize(batchOperations);
  #failuresInARow = 0;
  readonly #putAside: PutAside;

  constructor(putAside: PutAside) {
    this.#putAside = putAside;
  }

  /** Most operations of the next batch. */
  get most(): number {
    return this.#size.size;
  }

  succeeded(ids: readonly string[]): void {
    this.#size.succeeded();
    this.#failuresInARow = 0;
    for (const id of ids) this.#putAside.delete(id);
  }

  /** What failed alone is put aside. @returns whether the rest can be sent now, because the server answers. */
  async failed(upstream: Sending, batch: Operation[], error: Failure | Unreachable): Promise<boolean> {
    const [first] = batch;
    if (first === undefined || batch.length > 1 || error.status === undefined) this.#size.failed(batch.length, 1);
    // This was the cause, and not the size of the batches.
    else if (!this.#putAside.has(first.id)) this.#size = new BatchSize(batchOperations);
    if (first !== undefined && batch.length === 1) this.#putAside.add(first.id, reasonFor(error.status));
    this.#failuresInARow += 1;
    if (error.status === undefined || this.#failuresInARow % failuresBeforePause === 0) return false;
    return upstream.probe(probeMs).then(
      () => true,
      () => false,
    );
  }
}

/** Sends operations. Each is stored before it is sent, and its outcome is stored before anyone acts on it. */
export function createPusher(options: PusherOptions): Pusher {
  const { db } = options.host;
  const isolation = new Isolation(options.putAside);

  async function storeOutcome(tx: Tx, outcome: UpstreamOutcome): Promise<ObjectRef[]> {
    const operation = await findByWireId(tx, outcome.id);
    if (outcome.outcome === "applied" || outcome.outcome === "duplicate") {
      // The feed may have confirmed the operation before this answer arrived.
      if (operation && operation.state !== "delivered")
        await updateOperation(tx, operation.id, { state: "applied", applied_seq: outcome.seq });
      options.onOutcome(operation?.id ?? outcome.id, { state: "applied", result: outcome.result, seq: outcome.seq });
      return outcome.names ? rebaseAll(options, tx, (await rename(tx, outcome.names)).touched) : [];
    }
    if (!operation || operation.state === "applied" || operation.state === "delivered") return [];
    if (outcome.outcome === "blocked") {
      for (const sha256 of outcome.blobs) options.onMissing(sha256);
      await updateOperation(tx, operation.id, { state: "pending" });
      return [];
    }
    return refuse(options, tx, operation, outcome.refusal, outcome.server);
  }

  /** @param cursor lets the server refuse operations that were made against another epoch. */
  async function sendBatch(upstream: Sending, batch: Operation[], cursor: string): Promise<number> {
    const lives = await recall(db, "lives");
    const outcomes = await upstream.push(batch.map(toWire), cursor);
    if (outcomes === "restored") {
      if (await transaction(db, (tx) => startOver(tx, cursor))) options.onStartOver();
      return 0;
    }
    assertOutcomesOfBatch(batch, outcomes);
    const touched = await transaction(db, async (tx) => {
      // The answer describes the server before it was restored.
      if ((await recall(tx, "lives")) !== lives) return undefined;
      await withdrawSending(tx, listNotReached(batch, outcomes));
      const refs: ObjectRef[] = [];
      for (const outcome of outcomes) refs.push(...(await storeOutcome(tx, outcome)));
      if (refs.length > 0) await options.project(tx, refs);
      return refs;
    });
    if (!touched) return 0;
    options.onChanged([...batch.map(aggregateOf), ...touched]);
    return outcomes.filter(({ outcome }) => outcome !== "blocked").length;
  }

  async function pushOne(upstream: Sending): Promise<number> {
    // Without a cursor a restored server would go unnoticed, and what it took could be lost.
    const cursor = await recall(db, "cursor");
    if (cursor === undefined) return 0;
    const unconfirmed = (await upstream.listUnconfirmed?.()) ?? new Set<string>();
    // Selects and marks in one transaction, because a page of the feed may reject or confirm operations at any
    // moment.
    const batch = await transaction(db, async (tx) => {
      const chosen = await chooseBatch(options, tx, upstream, unconfirmed, isolation.most);
      await startSending(
        tx,
        chosen.map(({ id }) => id),
      );
      return chosen;
    });
    const [first] = batch;
    if (first === undefined) return 0;
    const ids = batch.map(({ id }) => id);
    try {
      const ended = await sendBatch(upstream, batch, cursor);
      isolation.succeeded(ids);
      return ended;
    } catch (error) {
      if (isUnsupported(error, first)) {
        options.unsupported.set(first.id, error.message);
        return 1;
      }
      if (upstream.sendsInTurn || !isOfBatch(error) || !(await isolation.failed(upstream, batch, error))) throw error;
      return 1;
    } finally {
      // Operations without an outcome are sent again under the same id.
      await endSending(db, ids);
    }
  }

  return serializePushes(pushOne);
}

/** Sends everything that can be sent, because the user waits for it. */
export async function pushEverything(pusher: Pusher, upstream: Sending & Pick<Upstream, "hurry">): Promise<void> {
  const release = upstream.hurry?.();
  try {
    while ((await pusher.push(upstream)) > 0);
  } finally {
    release?.();
  }
}
