import { z } from "zod";

const nonce = z.string().max(100);

/**
 * A data folder registers after a start: how often it has registered, the nonce of the last time, and a new one. Two
 * folders that continue from one copy cannot both have the right nonce (design, sync 1.7, C13).
 */
export const replicaRegistrationRequest = z.object({
  id: z.uuid(),
  session: z.int().min(0),
  nonce,
  next: nonce.min(16),
});
export type ReplicaRegistration = z.infer<typeof replicaRegistrationRequest>;

export const replicaRegistrationAnswer = z.object({ is_copy: z.boolean() });
