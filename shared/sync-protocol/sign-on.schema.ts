import { z } from "zod";

const nonce = z.string().max(100);

/**
 * A data folder begins to work with the server: how often it has done so before, what it said it would know by then, and
 * what it will know from now on. Two that go on from one copy cannot both say the right thing (design, sync 1.7, C13).
 */
export const signOnRequest = z.object({ id: z.uuid(), session: z.int().min(0), nonce, next: nonce.min(16) });
export type SignOn = z.infer<typeof signOnRequest>;

export const signOnAnswer = z.object({ is_copy: z.boolean() });
