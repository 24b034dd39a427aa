import { z } from "zod";

/** One operation on the wire; the id is of the client's making. */
export const pushedOperation = z.object({
  id: z.uuid(),
  kind: z.string().max(100),
  version: z.int().positive(),
  payload: z.unknown(),
});
export const pushRequest = z.object({
  operations: z.array(pushedOperation).max(500),
  /** Where the client stands in the feed: 410 when the server has been restored from a backup since. */
  cursor: z.string().optional(),
});

/** What a refusal says: the body of the REST error. */
export const refusal = z.looseObject({ status: z.int(), message: z.string() });

/**
 * `applied` now, or before (`duplicate`); `rejected` for good; `blocked`: bytes are missing, send them and try again.
 * `seq` is the feed position from which the effect is part of the confirmed state.
 */
export const pushOutcome = z.discriminatedUnion("outcome", [
  z.object({ id: z.string(), outcome: z.literal("applied"), seq: z.int(), result: z.unknown() }),
  z.object({ id: z.string(), outcome: z.literal("duplicate"), seq: z.int(), result: z.unknown() }),
  z.object({ id: z.string(), outcome: z.literal("rejected"), refusal, server: z.unknown().optional() }),
  z.object({ id: z.string(), outcome: z.literal("blocked"), blobs: z.array(z.string().max(64)).max(1000) }),
]);
export const pushAnswer = z.object({ outcomes: z.array(pushOutcome) });

export type PushedOperation = z.infer<typeof pushedOperation>;
export type PushOutcome = z.infer<typeof pushOutcome>;
export type Refusal = z.infer<typeof refusal>;
