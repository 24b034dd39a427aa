import { z } from "zod";

/** The second factor at a sign-in: six digits of an app, or a recovery code. */
export const secondFactorCode = z.string().max(100);

/** Confirms who the user is. Users without a password have to have signed in within the last minutes. */
export const factorConsent = z.object({ password: z.string().default("") });

/** Confirms a change of a second factor: whoever has the password alone must not get rid of it. */
export const factorChange = factorConsent.extend({ code: secondFactorCode.default("") });

export const factorProof = z.object({ code: secondFactorCode });
