import type { Tx } from "../database/open.ts";
import type { Caller } from "./caller.ts";
import type { ObjectRef } from "./object-ref.ts";

/** A call with an `Idempotency-Key`: the results of the commands that an earlier run committed. */
export interface IdempotentCall {
  kind: "idempotent";
  userId: string;
  key: string;
  /** Identifies this run. It may commit only while no other run has taken over the call. */
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
  /** The host's `write` adds the objects that the operation touched. */
  touched: ObjectRef[];
}

export type Origin = IdempotentCall | PushedOperation | Replay;

/**
 * The caller, and the origin of a command that is not a plain API call. Services pass the call on unchanged, so that the
 * host's `write` sees its origin.
 */
export interface Call extends Caller {
  readonly origin?: Origin;
}

/** Whether an operation that was executed before is executed again over the server's state. */
export const isReplay = ({ origin }: Call): boolean => origin?.kind === "replay";

/** Whether the command is executed later than the user sent it: pushed to the server, or replayed. */
export const isDelayed = (call: Call): boolean => call.origin?.kind === "operation" || isReplay(call);
