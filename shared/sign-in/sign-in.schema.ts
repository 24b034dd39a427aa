import { z } from "zod";
import { secondFactorCode } from "../second-factor/second-factor.schema.ts";

const account = { email: z.string().optional(), username: z.string().optional() };

/** `{email, password}` or `{username, password}` (requests 2.3). */
export const credentials = z
  .object({ ...account, password: z.string(), code: secondFactorCode.optional() })
  .refine(({ email, username }) => email !== undefined || username !== undefined, {
    path: ["email"],
    message: "Missing data for required field.",
    when: ({ value }) => value !== null && typeof value === "object" && !Array.isArray(value),
  });

/** The password form of `POST /api/tokens`: these keys and those of the token. */
export const passwordForm = z.object({ ...account, password: z.string(), code: secondFactorCode.optional() });

/** New passwords (requests 2.3). */
export const newPassword = z.string().min(8).max(128);

export const passwordChange = z.object({ password: z.string(), new_password: newPassword });
