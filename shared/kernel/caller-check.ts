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
 * Establishes the caller of a call anew, after it waited: for its body, for news, for a slow reader. `callerOf` returns
 * them from then on, with the groups that they have now. Anonymous callers have nothing that could be withdrawn here.
 * @throws Failure 401 when the token was revoked, the session ended, or the person was deactivated meanwhile.
 */
export async function checkCallerAgain(req: Request): Promise<void> {
  const { app, res } = req;
  const before = res?.locals.caller as Call | undefined;
  if (!res || !before || before.userId === null) return;
  const caller = await (app.locals.routes as Authenticating).authenticate(req);
  if (caller.userId !== before.userId) throw new Failure("unauthorized", "The session has ended. Sign in again.");
  res.locals.caller = before.origin ? { ...caller, origin: before.origin } : caller;
}

/** Called with each part of a long answer; throws what ends it. */
export type PartCheck = (sizeBytes: number) => Promise<void>;

/**
 * Checks the caller every second or 4 MiB of a long answer, whichever comes first.
 * @param find repeats the look-up that judged the caller's right to what is sent.
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
