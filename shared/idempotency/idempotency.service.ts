import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import type { IdempotencyRow } from "../database/schema.ts";
import { hasBody, hashOfBody, streamBody, watchBody } from "../kernel/body.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { type IdempotentCall, requestContext } from "../kernel/request-context.ts";
import type { RunOnce } from "../kernel/resource.ts";
import { deleteCall, deleteCallsBefore, findCall, updateCall, upsertCall } from "./idempotency.repository.ts";
import { isSealed, opened, sealed } from "./sealed-answer.ts";

const keptMicros = 30 * 86_400 * 1_000_000;
const longestKey = 255;
/** Refusals that may turn out otherwise next time are not kept as the answer. */
const passing = new Set([401, 408, 409, 429]);

const keptHeaders = ["content-type", "etag", "location", "upload-offset", "upload-complete"];

/** Where a call goes: one closing slash of the path counts for nothing, as everywhere (search-and-conventions 11). */
const placeOf = (req: Request): string => req.originalUrl.replace(/^([^?]+)\/(?=\?|$)/, "$1");

/** Of a call without a streamed body: what tells that apart is known only at its end, and stands behind it then. */
function digestOf(req: Request): string {
  const body = req.body === undefined ? "" : JSON.stringify(req.body);
  return createHash("sha256")
    .update(`${req.method}\n${placeOf(req)}\n${body}`)
    .digest("hex");
}

const isStreamed = (req: Request): boolean => req.body === undefined && hasBody(req);
const lengthOf = (req: Request): string => `length=${req.headers["content-length"] ?? "0"}`;

/** The digest of a call that was answered; of a streamed body that was not read whole only its length counts. */
function answeredDigest(req: Request, digest: string): string {
  if (req.body !== undefined) return digest;
  const hash = req.readableEnded ? hashOfBody(req) : undefined;
  return `${digest} ${hash ?? lengthOf(req)}`;
}

/** Whether a stored call is this one, as far as is known of it; a streamed body is read to its end to tell. */
async function isSameCall(req: Request, digest: string, known: IdempotencyRow): Promise<boolean> {
  const [call, mark] = known.digest.split(" ");
  if (call !== digest || mark === undefined) return call === digest;
  if (mark.startsWith("length=")) return mark === lengthOf(req);
  if (!isStreamed(req)) return false;
  for await (const _ of streamBody(req));
  return hashOfBody(req) === mark;
}

/** Gives a stored answer again. @returns false for a sealed one that this credential does not open. */
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

/** What is kept of an answer; one that shows a secret is written down nowhere as it is (requests 2.3). */
function keptBody(res: Response, body: unknown): string | undefined {
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : "";
  return res.locals.isSecret === true ? sealed(res.req, text) : text;
}

/**
 * The store of `Idempotency-Key` (hosts-and-sync 6): the first answer is kept for 30 days per user and key. Results of
 * commands are stored in the transaction of their effect, so a call whose answer was lost by a crash is answered anew
 * without taking effect twice.
 */
export function idempotency(host: Host, processId: string): { runOnce: RunOnce } {
  async function claim(row: IdempotencyRow, known: IdempotencyRow | undefined): Promise<void> {
    if (!known) return void (await upsertCall(host.db, row));
    if (known.process === processId) {
      throw new Failure("conflict", "The call with this Idempotency-Key is still running.");
    }
    await updateCall(host.db, row.user_id, row.key, { process: processId });
  }

  async function settle(res: Response, call: IdempotentCall, digest: string, body: unknown): Promise<void> {
    const { userId, key } = call;
    const isPassing = res.statusCode >= 500 || passing.has(res.statusCode);
    const kept = isPassing ? undefined : keptBody(res, body);
    if (kept !== undefined) {
      const answered = { status: res.statusCode, headers: headersOf(res), body: kept };
      await updateCall(host.db, userId, key, { ...answered, digest: answeredDigest(res.req, digest) });
    } else if (call.results.length === 0) await deleteCall(host.db, userId, key);
    else await updateCall(host.db, userId, key, { process: "" });
  }

  /** Stores the answer before its last byte leaves. */
  function intercept(res: Response, call: IdempotentCall, digest: string): void {
    const end = res.end.bind(res);
    res.end = ((chunk?: unknown) => {
      res.end = end;
      settle(res, call, digest, chunk).then(
        () => end(chunk),
        (error: unknown) => res.destroy(error instanceof Error ? error : undefined),
      );
      return res;
    }) as typeof res.end;
  }

  return {
    async runOnce(req, res, caller: Caller, work) {
      const key = req.headers["idempotency-key"];
      if (key === undefined) return work();
      if (typeof key !== "string" || key === "" || key.length > longestKey) {
        throw new Failure("invalid", "Invalid 'Idempotency-Key' header: 1 to 255 characters are expected.");
      }
      const userId = caller.userId ?? "";
      const now = host.now();
      await deleteCallsBefore(host.db, now - keptMicros);
      let known = await findCall(host.db, userId, key);
      const digest = digestOf(req);
      if (isStreamed(req)) watchBody(req);
      if (known && !(await isSameCall(req, digest, known))) {
        throw new Failure("unprocessable", "This Idempotency-Key was used for another call.");
      }
      if (known && known.status !== null) {
        if (replay(req, res, known)) return;
        known = undefined;
      }
      const empty = { results: "[]", status: null, headers: null, body: null };
      await claim({ user_id: userId, key, digest, process: processId, created: now, ...empty }, known);
      delete req.headers["accept-encoding"];
      const results: unknown[] = JSON.parse(known?.results ?? "[]");
      const call: IdempotentCall = { kind: "idempotent", userId, key, results, next: 0 };
      intercept(res, call, digest);
      return requestContext.run(call, work);
    },
  };
}
