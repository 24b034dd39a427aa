import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";

/** The caller's user id. @throws Failure 401 without credentials (requests 2.3). */
export function requireSignedIn(caller: Caller): string {
  if (caller.userId !== null) return caller.userId;
  throw new Failure("unauthorized", "Authentication is required.", {
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
  });
}
