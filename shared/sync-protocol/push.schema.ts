import { z } from "zod";

/** One operation. The client makes its id. */
export const pushedOperation = z.object({
  id: z.uuid(),
  kind: z.string().max(100),
  version: z.int().positive(),
  payload: z.unknown(),
});
export const pushRequest = z.object({
  operations: z.array(pushedOperation).max(500),
  /** The client's position in the feed. The server answers 410 if it was restored from a backup since. */
  cursor: z.string().optional(),
  /** `position` of the last answer, until a page of the feed was answered with it. Answered 410 likewise. */
  known: z.string().optional(),
});

/** Why an operation was rejected: the body of the REST error. */
export const refusal = z.looseObject({
  status: z.int(),
  message: z.string(),
  /** Its effect is there already: another computer did the same. */
  settled: z.boolean().optional(),
});

/**
 * `applied` now or `duplicate`; `rejected` for good; `blocked` until the client has sent the missing blobs.
 * `seq` is the feed position from which the effect is part of the confirmed state.
 */
export const pushOutcome = z.discriminatedUnion("outcome", [
  z.object({ id: z.string(), outcome: z.literal("applied"), seq: z.int(), result: z.unknown() }),
  z.object({ id: z.string(), outcome: z.literal("duplicate"), seq: z.int(), result: z.unknown() }),
  z.object({ id: z.string(), outcome: z.literal("rejected"), refusal, server: z.unknown().optional() }),
  z.object({ id: z.string(), outcome: z.literal("blocked"), blobs: z.array(z.string().max(64)).max(1000) }),
]);
export const pushAnswer = z.object({
  outcomes: z.array(pushOutcome),
  /** The cursor of the highest `seq` of the outcomes. Older servers omit it. */
  position: z.string().max(1000).optional(),
});

export type PushedOperation = z.infer<typeof pushedOperation>;
export type PushOutcome = z.infer<typeof pushOutcome>;
/** The highest feed position of the outcomes; 0 if none took effect. */
export const highestSeq = (outcomes: readonly PushOutcome[]): number =>
  Math.max(0, ...outcomes.map((outcome) => ("seq" in outcome ? outcome.seq : 0)));
export type Refusal = z.infer<typeof refusal>;
