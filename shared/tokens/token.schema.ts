import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { parseTime } from "../kernel/timestamps.ts";

export const scopeNames = ["read", "tokens", "write"] as const;

/** The input of a new token (requests 2.3). `expires_at` becomes microseconds. */
export const newToken = z.object({
  name: z.string().overwrite(cleanText).min(1).max(255),
  scopes: z.array(z.string()).optional(),
  expires_at: z
    .string()
    .transform((text, context) => {
      const micros = parseTime(text);
      if (micros !== undefined) return micros;
      context.addIssue({ code: "custom", message: "Not a valid datetime." });
      return z.NEVER;
    })
    .nullable()
    .optional(),
});
