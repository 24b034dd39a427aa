import { type AccessService, accessService } from "../shared/access/access.service.ts";
import type { BlobStore } from "../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../shared/database/open.ts";
import { updateCall } from "../shared/idempotency/idempotency.repository.ts";
import type { Caller } from "../shared/kernel/caller.ts";
import type { Command } from "../shared/kernel/command.ts";
import { committedHints } from "../shared/kernel/committed.ts";
import type { Environment } from "../shared/kernel/environment.ts";
import type { Host, ObjectRef, Work, Written } from "../shared/kernel/host.ts";
import { recordIdFrom } from "../shared/kernel/record-id.ts";
import { type RequestContext, requestContext } from "../shared/kernel/request-context.ts";
import type { Settings } from "../shared/kernel/settings.ts";
import { uuidV7 } from "../shared/kernel/uuid.ts";
import { lastTold, publishChanges } from "./sync/feed.service.ts";
import { isIdTaken } from "./sync/id-lease.repository.ts";
import { insertResult } from "./sync/operation-result.repository.ts";

export interface AuthorityOptions {
  db: Db;
  blobs: BlobStore;
  baseUrl: string;
  settings: Settings;
  environment: Environment;
  /** Brings derived rows (search index) up to date, in the transaction of the change. */
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

/** What this call has already committed under its `Idempotency-Key`, if anything. */
function earlierResult(context: RequestContext | undefined): { result: unknown } | undefined {
  if (context?.kind !== "idempotent" || context.next >= context.results.length) return undefined;
  return { result: context.results[context.next++] };
}

/** Keeps the result beside the effect, so that a repeated call or operation finds it. */
async function keepResult(tx: Tx, context: RequestContext | undefined, result: unknown, seq: number, now: number) {
  if (context?.kind === "operation") {
    const { id, userId, digest } = context;
    const text = JSON.stringify(result ?? null);
    await insertResult(tx, { id, user_id: userId, digest, outcome: "applied", result: text, seq, created: now });
  } else if (context?.kind === "idempotent") {
    const results = JSON.stringify([...context.results, result ?? null]);
    await updateCall(tx, context.userId, context.key, { results });
  }
}

/** The host that decides: every write commits its rows, its feed entry, the index and the stored result together. */
export function authorityHost(options: AuthorityOptions): Host {
  const { db, environment } = options;
  const hints = committedHints();

  async function write<R>(caller: Caller, work: Work<R>): Promise<R> {
    const context = requestContext.getStore();
    const earlier = earlierResult(context);
    if (earlier) return earlier.result as R;
    const now = environment.now();
    const written = await transaction(db, async (tx): Promise<Written<R>> => {
      const outcome = await work(tx, { now });
      if (outcome.touched.length > 0) await options.project(tx, outcome.touched);
      const { touched } = outcome;
      const seq = touched.length > 0 ? await publishChanges(tx, access, touched) : await lastTold(tx, caller);
      await keepResult(tx, context, outcome.result, seq, now);
      return outcome;
    });
    if (context?.kind === "idempotent") {
      context.results.push(written.result);
      context.next++;
    }
    if (written.touched.length > 0) hints.announce(written.touched);
    return written.result;
  }

  async function takeRecordId(): Promise<string> {
    for (;;) {
      const id = recordIdFrom(environment.random(5));
      if (!(await isIdTaken(db, id))) return id;
    }
  }

  const host: Host = {
    role: "server",
    db,
    blobs: options.blobs,
    settings: options.settings,
    baseUrl: options.baseUrl,
    now: () => environment.now(),
    newUuid: () => uuidV7(Math.floor(environment.now() / 1000), environment.random(10)),
    newToken: () => Buffer.from(environment.random(32)).toString("base64url"),
    newClientId: () => Buffer.from(environment.random(4)).readUInt32BE(0),
    takeRecordId,
    write: <I, R>(caller: Caller, _command: Command<I>, _input: I, work: Work<R>) => write(caller, work),
    ask: async (caller, _command, _input, work) => ({ state: "done", result: await write(caller, work) }),
    takeBack: async () => false,
    isServerReachable: () => false,
    syncMark: async () => undefined,
    onCommitted: hints.onCommitted,
  };
  const access: AccessService = accessService(host);
  return host;
}
