import { z } from "zod";

/** A fault that the server names in an answer: a dotted path and its reasons. */
export const namedFault = z.object({ field: z.string(), messages: z.array(z.string()) });
export type NamedFault = z.infer<typeof namedFault>;
