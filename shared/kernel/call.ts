import type { Tx } from "../database/open.ts";
import type { Caller } from "./caller.ts";
import type { ObjectRef } from "./object-ref.ts";

/** A call with an `Idempotency-Key`: results of commands it committed before, and where the next one goes. */
export interface IdempotentCall {
  kind: "idempotent";
  userId: string;
  key: string;
  /** Of this run; what it commits counts only while the call is still its own. */
  claim: string;
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

export type Origin = IdempotentCall | PushedOperation | Replay;

/**
 * Who calls, and where the command comes from when it is no plain call. Whoever carries out a call hands it on as it is,
 * so that the write door sees its origin.
 */
export interface Call extends Caller {
  readonly origin?: Origin;
}

/** What was done already is laid over what the server said. */
export const isReplay = ({ origin }: Call): boolean => origin?.kind === "replay";

/** Executed later than its person asked for it: pushed to the server, or replayed. */
export const isDelayed = (call: Call): boolean => call.origin?.kind === "operation" || isReplay(call);
