import { createHash } from "node:crypto";
import type { AccessService } from "../../shared/access/access.service.ts";
import { type Db, transaction } from "../../shared/database/open.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { CommandHandler, Host } from "../../shared/kernel/host.ts";
import { requestContext } from "../../shared/kernel/request-context.ts";
import type { PushedOperation, PushOutcome } from "../../shared/sync-protocol/push.schema.ts";
import { readHead } from "./feed.repository.ts";
import { findResult, insertResult } from "./operation-result.repository.ts";

export interface PushService {
  /** Executes operations in their order, each in a transaction of its own, as the person who pushes them. */
  push(caller: Caller, operations: PushedOperation[]): Promise<PushOutcome[]>;
}

/** Refusals of the moment: the operation stays with the client and is sent again. */
const passing = new Set([401, 426, 429, 500, 503, 507]);

const digestOf = (operation: PushedOperation): string =>
  createHash("sha256")
    .update(JSON.stringify([operation.kind, operation.version, operation.payload]))
    .digest("hex");

/** Bytes that a command needs and that are not here; its `message` lists them. */
function missingBlobs(failure: Failure): string[] | undefined {
  const blobs = failure.extra.missing_blobs;
  return Array.isArray(blobs) ? blobs.map(String) : undefined;
}

/** The server's side of reconciling: exactly once, authorised at the moment of applying (hosts-and-sync 6, Push). */
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

  /** A refusal is stored too, so that a repeated operation is answered alike: also one that is repeated while it is done. */
  async function refuse(caller: Caller, operation: PushedOperation, failure: Failure): Promise<PushOutcome> {
    const body = { ...failure.toBody(), status: failure.status, message: failure.message };
    return transaction(host.db, async (tx): Promise<PushOutcome> => {
      const meanwhile = await known(tx, caller, operation);
      if (meanwhile) return meanwhile;
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
    const handler = handlers.get(kind);
    if (!handler || operation.version > handler.version) {
      throw new Failure("upgrade_required", `This server is too old for '${kind}' version ${operation.version}.`);
    }
    const context = { kind: "operation" as const, id, userId: caller.userId ?? "", digest: digestOf(operation) };
    await requestContext.run(context, () => handler.execute(caller, operation.payload));
    const stored = await findResult(host.db, id);
    if (!stored) throw new Error(`the command ${kind} did not write through the door`);
    return { id, outcome: "applied", seq: stored.seq, result: JSON.parse(stored.result) };
  }

  async function one(caller: Caller, operation: PushedOperation): Promise<PushOutcome> {
    const earlier = await known(host.db, caller, operation);
    if (earlier) return earlier;
    try {
      return await apply(caller, operation);
    } catch (error) {
      if (!(error instanceof Failure) || passing.has(error.status)) {
        // Sent twice at once, the second one finds what the first one made in its way.
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
    async push(caller, operations) {
      const outcomes: PushOutcome[] = [];
      for (const operation of operations) {
        try {
          const outcome = await one(caller, operation);
          outcomes.push(outcome);
          // What follows may mean by this id what was to be made: it comes again, under the id that it gets instead.
          if (outcome.outcome === "rejected" && outcome.refusal.taken !== undefined) break;
        } catch (error) {
          // What was applied is answered; the rest comes again. With nothing applied, the cause is the answer.
          if (outcomes.length === 0) throw error;
          break;
        }
      }
      return outcomes;
    },
  };
}
