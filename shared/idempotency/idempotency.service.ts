import { createHmac } from "node:crypto";
import type { Request, Response } from "express";
import { transaction } from "../database/open.ts";
import type { IdempotencyRow } from "../database/schema.ts";
import { hasBody, hashOfBody, streamBody, watchBody } from "../kernel/body.ts";
import type { IdempotentCall } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { RunOnce } from "../kernel/resource.ts";
import { stillRunning } from "./call-result.ts";
import { deleteClaimed, findCall, updateClaimed, upsertCall } from "./idempotency.repository.ts";
import { isSealed, opened, sealed } from "./sealed-answer.ts";

const longestKey = 255;
/** Lease of a run, which renews it while it works. After a crash the call is free again. */
const leaseMicros = 3_000_000;
const renewMs = 1000;
/** Temporary refusals: their answers are not kept. */
const passing = new Set([401, 408, 409, 429]);

const keptHeaders = ["content-type", "etag", "location", "upload-offset", "upload-complete"];

/** The path of a call, without one trailing slash, which has no meaning (search-and-conventions 11). */
const placeOf = (req: Request): string => req.originalUrl.replace(/^([^?]+)\/(?=\?|$)/, "$1");

/**
 * The digest of a call without its streamed body, whose hash is known at the end and stored after it. Bodies contain
 * passwords, so the digest uses a secret that is not in the database.
 */
function digestOf(req: Request, secret: Uint8Array): string {
  const body = req.body === undefined ? "" : JSON.stringify(req.body);
  return createHmac("sha256", secret)
    .update(`${req.method}\n${placeOf(req)}\n${body}`)
    .digest("hex");
}

const isStreamed = (req: Request): boolean => req.body === undefined && hasBody(req);
const lengthOf = (req: Request): string => `length=${req.headers["content-length"] ?? "0"}`;

/** The digest of an answered call. A streamed body that was not read to the end counts by its length only. */
function answeredDigest(req: Request, digest: string): string {
  if (req.body !== undefined) return digest;
  const hash = req.readableEnded ? hashOfBody(req) : undefined;
  return `${digest} ${hash ?? lengthOf(req)}`;
}

/** Whether a stored call equals this one. Reads a streamed body to its end to compare. */
async function isSameCall(req: Request, digest: string, known: IdempotencyRow): Promise<boolean> {
  const [call, mark] = known.digest.split(" ");
  if (call !== digest || mark === undefined) return call === digest;
  if (mark.startsWith("length=")) return mark === lengthOf(req);
  if (!isStreamed(req)) return false;
  for await (const _ of streamBody(req));
  return hashOfBody(req) === mark;
}

/** Sends a stored answer again. @returns false for an encrypted answer that this credential cannot open. */
function replay(req: Request, res: Response, row: IdempotencyRow): boolean {
  let { body } = row;
  if (isSealed(body)) {
    const text = opened(req, body);
    if (text === undefined) return false;
    body = text;
    res.setHeader("Cache-Control", "no-store");
  }
  for (const [name, value] of Object.entries(JSON.parse(row.headers ?? "{}"))) res.setHeader(name, String(value));
  res.setHeader("Idempotency-Replayed", "true");
  res.status(row.status ?? 200).end(body ?? undefined);
  return true;
}

function headersOf(res: Response): string {
  const kept = keptHeaders.map((name) => [name, res.getHeader(name)]).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(kept));
}

/** The stored form of an answer; one with a secret is never stored in plain text (requests 2.3). */
function keptBody(res: Response, body: unknown): string | undefined {
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : "";
  return res.locals.isSecret === true ? sealed(res.req, text) : text;
}

/** Whether a run holds the call. A lease in the far future comes from a clock that was set back. */
const isHeld = ({ status, claimed_until }: IdempotencyRow, now: number): boolean =>
  status === null && claimed_until > now && claimed_until <= now + leaseMicros;

const isSameState = (a: IdempotencyRow | undefined, b: IdempotencyRow | undefined): boolean =>
  a?.claim === b?.claim && a?.status === b?.status && a?.digest === b?.digest;

/**
 * The store of `Idempotency-Key` (hosts-and-sync 6): keeps the first answer per user and key. Results of
 * commands are stored in the transaction of their effect. After a crash the answer is made again without a second
 * effect.
 * @param secret of the data folder, for digests of calls.
 */
export function idempotency(host: Host, secret: Uint8Array): { runOnce: RunOnce } {
  /** @param seen the row as it was read. @returns the run; undefined when the row changed since. @throws Failure 409 */
  async function claim(row: IdempotencyRow, seen: IdempotencyRow | undefined): Promise<IdempotentCall | undefined> {
    return transaction(host.db, async (tx) => {
      const present = await findCall(tx, row.user_id, row.key);
      if (!isSameState(present, seen)) return undefined;
      if (present && isHeld(present, host.now())) throw stillRunning();
      // An answer that this credential cannot open is ignored.
      const results = present?.status === null ? present.results : "[]";
      await upsertCall(tx, { ...row, results, claimed_until: host.now() + leaseMicros });
      const { user_id: userId, key } = row;
      return { kind: "idempotent", userId, key, claim: row.claim, results: JSON.parse(results), next: 0 };
    });
  }

  async function storeAnswer(res: Response, call: IdempotentCall, digest: string, body: unknown): Promise<void> {
    const isPassing = res.statusCode >= 500 || passing.has(res.statusCode);
    const kept = isPassing ? undefined : keptBody(res, body);
    if (kept !== undefined) {
      const answered = { status: res.statusCode, headers: headersOf(res), body: kept };
      await updateClaimed(host.db, call, { ...answered, digest: answeredDigest(res.req, digest) });
    } else if (call.results.length === 0) await deleteClaimed(host.db, call);
    else await updateClaimed(host.db, call, { claimed_until: 0 });
  }

  /** Stores the answer before its last byte is sent. */
  function intercept(res: Response, call: IdempotentCall, digest: string): void {
    const end = res.end.bind(res);
    res.end = ((chunk?: unknown) => {
      res.end = end;
      storeAnswer(res, call, digest, chunk).then(
        () => end(chunk),
        (error: unknown) => res.destroy(error instanceof Error ? error : undefined),
      );
      return res;
    }) as typeof res.end;
  }

  /** Renews the lease during the work. If that fails, the lease may be lost, and the next commit reports it. */
  async function whileHeld(call: IdempotentCall, work: () => Promise<void>): Promise<void> {
    const renew = () => updateClaimed(host.db, call, { claimed_until: host.now() + leaseMicros });
    const timer = setInterval(() => renew().catch(() => undefined), renewMs).unref();
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Starts the run of a call; undefined when a stored answer was sent. @throws Failure 409, 422 */
  async function begin(req: Request, res: Response, row: IdempotencyRow): Promise<IdempotentCall | undefined> {
    for (;;) {
      const known = await findCall(host.db, row.user_id, row.key);
      if (known && !(await isSameCall(req, row.digest, known))) {
        throw new Failure("unprocessable", "This Idempotency-Key was used for another call.");
      }
      if (known && known.status !== null && replay(req, res, known)) return undefined;
      const call = await claim(row, known);
      if (call) return call;
    }
  }

  return {
    async runOnce(req, res, caller: Caller, work) {
      const key = req.headers["idempotency-key"];
      if (key === undefined) return work(caller);
      if (typeof key !== "string" || key === "" || key.length > longestKey) {
        throw new Failure("invalid", "Invalid 'Idempotency-Key' header: 1 to 255 characters are expected.");
      }
      const created = host.now();
      const digest = digestOf(req, secret);
      if (isStreamed(req)) watchBody(req);
      const empty = { results: "[]", status: null, headers: null, body: null, claimed_until: 0 };
      const row = { user_id: caller.userId ?? "", key, digest, claim: host.newUuid(), created, ...empty };
      const call = await begin(req, res, row);
      if (!call) return;
      delete req.headers["accept-encoding"];
      intercept(res, call, digest);
      return whileHeld(call, () => work({ ...caller, origin: call }));
    },
  };
}
