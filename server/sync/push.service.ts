import { createHash } from "node:crypto";
import type { AccessService } from "../../shared/access/access.service.ts";
import { isRecorded } from "../../shared/audit/recorded-refusals.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { isTakenKey } from "../../shared/database/taken-key.ts";
import { editDraft } from "../../shared/drafts/draft.schema.ts";
import { jsonLimitBytes } from "../../shared/kernel/body.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { definedCommands, isPushed } from "../../shared/kernel/command.ts";
import { Failure, forbidden } from "../../shared/kernel/failure.ts";
import type { CommandHandler, Host } from "../../shared/kernel/host.ts";
import type { PushedOperation, PushOutcome } from "../../shared/sync-protocol/push.schema.ts";
import { readHead } from "./feed.repository.ts";
import { findResult, insertResult } from "./operation-result.repository.ts";

export interface PushService {
  /**
   * Executes operations in order, each in its own transaction, as the user who pushes them.
   * @param again authenticates the caller before each operation, so that a long push ends when credentials are
   * withdrawn.
   */
  push(caller: Caller, operations: PushedOperation[], again?: () => Promise<Caller>): Promise<PushOutcome[]>;
}

/** Statuses that may pass. The operation stays with the client, which sends it again. */
const transientStatuses = new Set([401, 426, 429, 500, 503, 507]);

interface WireFacts {
  sizeBytes: number;
  digest: string;
}
const wireFacts = new WeakMap<PushedOperation, WireFacts>();

/** Serialised once per operation, because a large draft takes some ten milliseconds. */
function factsOf(operation: PushedOperation): WireFacts {
  const { kind, version, payload } = operation;
  const known = wireFacts.get(operation);
  if (known) return known;
  const text = Buffer.from(JSON.stringify([kind, version, payload]));
  const facts = { sizeBytes: text.length, digest: createHash("sha256").update(text).digest("hex") };
  wireFacts.set(operation, facts);
  return facts;
}
const digestOf = (operation: PushedOperation): string => factsOf(operation).digest;

/** An edit carries the old and the new value, each as large as a body; other commands are as large as one body. */
function assertSize(operation: PushedOperation): void {
  const isLarge = factsOf(operation).sizeBytes > jsonLimitBytes;
  if (isLarge && operation.kind !== editDraft.name) throw new Failure("too_large", "The operation is too large.");
}

/** The sender chooses the ids of new objects. An id in use is refused for good. */
const asRefusal = (error: unknown): unknown =>
  isTakenKey(error) ? new Failure("conflict", "An id that this operation creates is already in use.") : error;

/** Blobs that a command needs and that are missing here. */
function missingBlobs(failure: Failure): string[] | undefined {
  const blobs = failure.extra.missing_blobs;
  return Array.isArray(blobs) ? blobs.map(String) : undefined;
}

/** @throws Failure 403 for a command that cannot be pushed, 426 for one that this server does not know. */
function handlerOf(handlers: Map<string, CommandHandler>, { kind, version }: PushedOperation): CommandHandler {
  const command = definedCommands.get(kind);
  if (command && !isPushed(command)) throw forbidden();
  const handler = handlers.get(kind);
  if (handler && version <= handler.version) return handler;
  throw new Failure("upgrade_required", `This server is too old for '${kind}' version ${version}.`);
}

/** Records a pushed command that its sender had no right to send, unless `host.write` recorded it. */
async function auditDenied(host: Host, tx: Tx, caller: Caller, command: string, failure: Failure): Promise<void> {
  if (failure.kind !== "forbidden" || isRecorded(failure)) return;
  const details = { method: "PUSH", command };
  await host.audit(tx, caller, { action: "call.refused", status: failure.status, details });
}

/** Executes pushed operations exactly once, with the rights at that moment (hosts-and-sync 6, Push). */
export function pushService(options: {
  host: Host;
  access: AccessService;
  handlers: Map<string, CommandHandler>;
}): PushService {
  const { host, handlers } = options;

  async function known(db: Db, caller: Caller, operation: PushedOperation): Promise<PushOutcome | undefined> {
    const row = await findResult(db, operation.id);
    if (!row) return undefined;
    const { id } = operation;
    if (row.user_id !== caller.userId || row.digest !== digestOf(operation)) {
      const body = new Failure("unprocessable", "This operation id was used for something else.").toBody();
      return { id, outcome: "rejected", refusal: { ...body, status: 422, message: String(body.message) } };
    }
    const result: unknown = JSON.parse(row.result);
    if (row.outcome === "applied") return { id, outcome: "duplicate", seq: row.seq, result };
    return { id, outcome: "rejected", refusal: result as { status: number; message: string } };
  }

  /** Stores the refusal, so that a repeated operation gets the same answer. */
  async function refuse(caller: Caller, operation: PushedOperation, failure: Failure): Promise<PushOutcome> {
    const body = { ...failure.toBody(), status: failure.status, message: failure.message };
    return transaction(host.db, async (tx): Promise<PushOutcome> => {
      const meanwhile = await known(tx, caller, operation);
      if (meanwhile) return meanwhile;
      await auditDenied(host, tx, caller, operation.kind, failure);
      await insertResult(tx, {
        id: operation.id,
        user_id: caller.userId ?? "",
        digest: digestOf(operation),
        outcome: "rejected",
        result: JSON.stringify(body),
        seq: await readHead(tx),
        created: host.now(),
      });
      return { id: operation.id, outcome: "rejected", refusal: body };
    });
  }

  async function apply(caller: Caller, operation: PushedOperation): Promise<PushOutcome> {
    const { id, kind } = operation;
    assertSize(operation);
    const handler = handlerOf(handlers, operation);
    const origin = { kind: "operation" as const, id, userId: caller.userId ?? "", digest: digestOf(operation) };
    await handler.execute({ ...caller, origin }, operation.payload);
    const stored = await findResult(host.db, id);
    if (!stored) throw new Error(`the command ${kind} did not use host.write`);
    return { id, outcome: "applied", seq: stored.seq, result: JSON.parse(stored.result) };
  }

  async function one(caller: Caller, operation: PushedOperation): Promise<PushOutcome> {
    const earlier = await known(host.db, caller, operation);
    if (earlier) return earlier;
    try {
      return await apply(caller, operation);
    } catch (caught) {
      const error = asRefusal(caught);
      if (!(error instanceof Failure) || transientStatuses.has(error.status)) {
        // If the operation was sent twice at once, the other call has stored its outcome.
        const meanwhile = await known(host.db, caller, operation);
        if (meanwhile) return meanwhile;
        throw error;
      }
      const blobs = missingBlobs(error);
      if (blobs) return { id: operation.id, outcome: "blocked", blobs };
      return refuse(caller, operation, error);
    }
  }

  return {
    async push(caller, operations, again = async () => caller) {
      const outcomes: PushOutcome[] = [];
      for (const operation of operations) {
        try {
          const outcome = await one(await again(), operation);
          outcomes.push(outcome);
          // Later operations may use the taken id. The client sends them again with the new id.
          if (outcome.outcome === "rejected" && outcome.refusal.taken !== undefined) break;
        } catch (error) {
          // Earlier outcomes are answered and the client sends the rest again. Without any outcome the error is the
          // answer.
          if (outcomes.length === 0) throw error;
          break;
        }
      }
      return outcomes;
    },
  };
}
