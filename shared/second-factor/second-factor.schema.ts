import { z } from "zod";
import { command } from "../kernel/command.ts";

/** The second factor at a sign-in: six digits of an app, or a recovery code. */
export const secondFactorCode = z.string().max(100);

/** Confirms who the user is. Users without a password have to have signed in within the last minutes. */
export const factorConsent = z.object({ password: z.string().default("") });

/** Confirms a change of a second factor: whoever has the password alone must not get rid of it. */
export const factorChange = factorConsent.extend({ code: secondFactorCode.default("") });

/** Updates what a user may hold after a change of the second factor, without which administrative groups do not count. */
export const updateRoles = command({
  name: "user.weigh-roles",
  version: 1,
  senders: { console: "host" },
  input: z.object({ userId: z.string() }),
});

export const factorProof = z.object({ code: secondFactorCode });
