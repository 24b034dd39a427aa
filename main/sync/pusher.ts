import { type Tx, transaction } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { type PushOutcome, pushAnswer } from "../../shared/sync-protocol/push.schema.ts";
import { findByWireId, listOpenWithTopics, type Operation, updateOperation } from "./operation.repository.ts";
import { sendable } from "./order.policy.ts";
import { recall } from "./person.repository.ts";
import { aggregateOf, blobsOf, type RefusalOptions, refuse } from "./refusal.ts";
import { endSending, startSending, withdrawSending } from "./sending.repository.ts";
import { startOver } from "./start-over.ts";
import { bodyOf, type Transport } from "./transport.ts";

export interface PusherOptions extends RefusalOptions {
  /** Whether the server has these bytes, as far as known. */
  hasServer(sha256: string): boolean;
  /** Operations that the server is too old for, by id, with its words: they wait, and what needs them; the rest goes on. */
  beyond: Map<string, string>;
  /** The server says that it lacks these bytes. */
  onMissing(sha256: string): void;
  /** The server was restored from a backup: everything goes and comes again. */
  onStartOver(): void;
}

export interface Pusher {
  /** Sends one batch of what may go. @returns how many operations found their end, or were found to be beyond the server. */
  push(transport: Transport): Promise<number>;
}

const batchOperations = 100;
const lookFirstAt = 400;
const batchBytes = 1_000_000;

function firstBatch(operations: Operation[]): Operation[] {
  let bytes = 0;
  return operations.slice(0, batchOperations).filter((operation, index) => {
    bytes += operation.payload.length;
    return index === 0 || bytes <= batchBytes;
  });
}

const asSent = ({ wire_id, kind, version, payload }: Operation) => ({
  id: wire_id,
  kind,
  version,
  payload: JSON.parse(payload),
});

/** Whether the server can take an operation: it has the bytes that it needs, and knows its command. */
const isReady = ({ hasServer, beyond }: PusherOptions, operation: Operation): boolean =>
  !beyond.has(operation.id) && blobsOf(operation).every(({ sha256 }) => hasServer(sha256));

/** Whether the server does not know a command. Those before it in a batch are answered: it is the first one. */
const isBeyond = (error: unknown, { kind }: Operation): error is Failure =>
  error instanceof Failure && error.kind === "upgrade_required" && error.message.includes(`'${kind}'`);

/**
 * What a server did not come to that ended a batch early: after one that it gives another id, or after the first one without
 * an outcome, at which something went wrong.
 */
function notReached(batch: readonly Operation[], outcomes: readonly PushOutcome[]): string[] {
  const last = outcomes.at(-1);
  const isRenamed = last?.outcome === "rejected" && last.refusal.taken !== undefined;
  return batch.slice(outcomes.length + (isRenamed ? 0 : 1)).map(({ id }) => id);
}

/** The replica's writing side: stored first, sent then, and every outcome stored before it is believed. */
export function createPusher(options: PusherOptions): Pusher {
  const { db } = options.host;

  async function settle(tx: Tx, outcome: PushOutcome): Promise<ObjectRef[]> {
    const operation = await findByWireId(tx, outcome.id);
    if (outcome.outcome === "applied" || outcome.outcome === "duplicate") {
      // The feed may have told of it before this answer came: then the operation is delivered already.
      if (operation && operation.state !== "delivered")
        await updateOperation(tx, operation.id, { state: "applied", applied_seq: outcome.seq });
      options.onSettled(operation?.id ?? outcome.id, { state: "applied", result: outcome.result, seq: outcome.seq });
      return [];
    }
    if (!operation || operation.state === "applied" || operation.state === "delivered") return [];
    if (outcome.outcome === "blocked") {
      for (const sha256 of outcome.blobs) options.onMissing(sha256);
      await updateOperation(tx, operation.id, { state: "pending" });
      return [];
    }
    return refuse(options, tx, operation, outcome.refusal, outcome.server);
  }

  /** Looks no further than it must: what an operation waits for was made before it. */
  async function choose(tx: Tx): Promise<Operation[]> {
    for (let looked = lookFirstAt; ; looked *= 4) {
      const oldest = await listOpenWithTopics(tx, looked);
      const ready = sendable(oldest, (operation) => isReady(options, operation));
      if (ready.length >= batchOperations || oldest.length < looked) return firstBatch(ready);
    }
  }

  /** @param cursor tells the server whether it is still the one that the operations were made for. */
  async function exchange(transport: Transport, batch: Operation[], cursor: string): Promise<number> {
    const operations = batch.map(asSent);
    const lives = await recall(db, "lives");
    const answer = await transport.call("POST", "/api/sync/push", { operations, cursor }, { timeoutMs: 60_000 });
    if (answer.status === 410) {
      if (await transaction(db, (tx) => startOver(tx, cursor))) options.onStartOver();
      return 0;
    }
    const { outcomes } = pushAnswer.parse(bodyOf(answer));
    const touched = await transaction(db, async (tx) => {
      // What a server said before it was restored is not true of the one that there is now.
      if ((await recall(tx, "lives")) !== lives) return undefined;
      await withdrawSending(tx, notReached(batch, outcomes));
      const refs: ObjectRef[] = [];
      for (const outcome of outcomes) refs.push(...(await settle(tx, outcome)));
      if (refs.length > 0) await options.project(tx, refs);
      return refs;
    });
    if (!touched) return 0;
    options.onChanged([...batch.map(aggregateOf), ...touched]);
    return outcomes.filter(({ outcome }) => outcome !== "blocked").length;
  }

  return {
    async push(transport) {
      // Before its first page nothing tells one life of the server from the next: what it took could be lost unnoticed.
      const cursor = await recall(db, "cursor");
      if (cursor === undefined) return 0;
      // Chosen and marked in one step: a page of the feed may refuse or confirm operations at any moment.
      const batch = await transaction(db, async (tx) => {
        const chosen = await choose(tx);
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
        return await exchange(transport, batch, cursor);
      } catch (error) {
        if (!isBeyond(error, first)) throw error;
        options.beyond.set(first.id, error.message);
        return 1;
      } finally {
        // What has no outcome is not under way any more: it is sent again, under the same id.
        await endSending(db, ids);
      }
    },
  };
}
