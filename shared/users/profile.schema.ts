import { z } from "zod";
import { isValidIdentifier, normaliseIdentifier } from "../identifiers/scheme.schema.ts";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { spokenLanguages } from "../kernel/languages.schema.ts";
import { visibilities } from "./user.schema.ts";

const orcid = z
  .string()
  .max(100)
  .refine((text) => isValidIdentifier("orcid", text), "This ORCID isn’t valid. Check the digits.")
  .transform((text) => normaliseIdentifier("orcid", text));

/** The body of `PUT /api/me`. What is absent stays. */
export const profileBody = z.object({
  full_name: z.string().overwrite(cleanText).max(255).optional(),
  affiliations: z.string().overwrite(cleanText).max(1000).optional(),
  /** null removes it. */
  orcid: orcid.nullable().optional(),
  visibility: z.enum(visibilities).optional(),
  email_visibility: z.enum(visibilities).optional(),
  /** Of the mails to the user; null: that of the repository. */
  language: z.enum(spokenLanguages).nullable().optional(),
});
export type ProfileChange = z.infer<typeof profileBody>;

/** Notes the ORCID iD for which the user signed in at ORCID; null: there is none any more. The iD itself stays. */
export const verifyOrcid = command({
  name: "user.verify-orcid",
  version: 1,
  senders: { console: "host" },
  input: z.object({ userId: z.string(), orcid: z.string().nullable() }),
});

/** Size of the file that a user makes their picture. */
export const maxPictureBytes = 10_000_000;

/** Changes the caller's own profile, or its picture, here named by its digest. Only the server decides. */
export const updateProfile = command({
  name: "user.update-profile",
  version: 1,
  senders: { route: "person" },
  input: z.custom<ProfileChange & { picture?: string | null }>(),
});
