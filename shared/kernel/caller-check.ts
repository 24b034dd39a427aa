import type { Request } from "express";
import type { Call } from "./call.ts";
import type { Caller } from "./caller.ts";
import { Failure } from "./failure.ts";

interface Authenticating {
  authenticate(req: Request): Promise<Caller>;
}

const checkEveryMs = 1000;
const checkEveryBytes = 4 * 1024 * 1024;

/**
 * Authenticates again after a call waited for its body, for changes or for a slow client. From then on `callerOf` returns
 * the caller with their present groups. Anonymous callers have no credentials that could be withdrawn.
 * @throws Failure 401 when the token was revoked, the session ended, or the user was deactivated meanwhile.
 */
export async function checkCallerAgain(req: Request): Promise<void> {
  const { app, res } = req;
  const before = res?.locals.caller as Call | undefined;
  if (!res || !before || before.userId === null) return;
  const caller = await (app.locals.routes as Authenticating).authenticate(req);
  if (caller.userId !== before.userId) throw new Failure("unauthorized", "The session has ended. Sign in again.");
  res.locals.caller = before.origin ? { ...caller, origin: before.origin } : caller;
}

/** Called with the size of each part of a long answer. An error it throws ends the answer. */
export type PartCheck = (sizeBytes: number) => Promise<void>;

/**
 * Checks the caller every second or 4 MiB of a long answer, whichever comes first.
 * @param find repeats the query that checked whether the caller may read what is sent.
 */
export function checkedWhileSent(req: Request, find: () => Promise<unknown>): PartCheck {
  let last = performance.now();
  let sentBytes = 0;
  return async (sizeBytes) => {
    sentBytes += sizeBytes;
    if (sentBytes < checkEveryBytes && performance.now() - last < checkEveryMs) return;
    [last, sentBytes] = [performance.now(), 0];
    await checkCallerAgain(req);
    await find();
  };
}
