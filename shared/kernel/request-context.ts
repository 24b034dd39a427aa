import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "../database/open.ts";
import type { ObjectRef } from "./host.ts";

/** A call with an `Idempotency-Key`: results of commands it committed before, and where the next one goes. */
export interface IdempotentCall {
  kind: "idempotent";
  userId: string;
  key: string;
  results: unknown[];
  next: number;
}

/** A pushed operation: its result is stored in the transaction of its effect. */
export interface PushedOperation {
  kind: "operation";
  id: string;
  userId: string;
  digest: string;
}

/** A replica replays an operation over the server's state, inside the transaction of the pull. */
export interface Replay {
  kind: "replay";
  tx: Tx;
  now: number;
  /** Filled by the write door with what the operation touched. */
  touched: ObjectRef[];
}

export type RequestContext = IdempotentCall | PushedOperation | Replay;

/** What surrounds the work on this asynchronous path; the host's write door reads it. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
