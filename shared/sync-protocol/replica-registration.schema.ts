import { z } from "zod";

const nonce = z.string().max(100);

/**
 * A data folder registers after each start with its number of registrations, the last nonce, and a new one. If two
 * folders continue from the same copy, only one has the current nonce (design, sync 1.7, C13).
 */
export const replicaRegistrationRequest = z.object({
  id: z.uuid(),
  session: z.int().min(0),
  nonce,
  next: nonce.min(16),
});
export type ReplicaRegistration = z.infer<typeof replicaRegistrationRequest>;

export const replicaRegistrationAnswer = z.object({ is_copy: z.boolean() });
