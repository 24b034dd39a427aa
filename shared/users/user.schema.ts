import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { spokenLanguages } from "../kernel/languages.schema.ts";
import { normalForm } from "../kernel/normal-form.ts";

export const visibilities = ["public", "restricted"] as const;

/** One address, without the characters by which mail programs read a list, a display name or a comment. */
const mailbox = /^[^\s@()<>[\]:;,"\\\p{Cc}\p{Cf}\p{Cs}]+@[^\s@()<>[\]:;,"\\\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** A new user. The password is hashed before it becomes part of the command. */
export const newUser = z.object({
  /** Normalised, so that names that look the same are the same. */
  username: z
    .string()
    .overwrite((text) => normalForm(text, "NFKC"))
    .regex(/^[^\s@\p{Cc}\p{Cf}\p{Cs}]{1,255}$/u, "Letters, digits and signs without blanks and @ are expected."),
  email: z
    .string()
    .regex(mailbox, "Not a valid email address.")
    .meta({ examples: ["ada@example.org"] }),
  full_name: z.string().overwrite(cleanText).max(255).default(""),
  affiliations: z.string().overwrite(cleanText).max(1000).default(""),
  active: z.boolean().default(true),
  confirmed: z.boolean().default(true),
  visibility: z.enum(visibilities).default("public"),
  email_visibility: z.enum(visibilities).default("restricted"),
  roles: z.array(z.string()).default([]),
  password_hash: z.string().nullable().default(null),
  /** The language of mails to the user; absent: the language of the site. */
  language: z.enum(spokenLanguages).optional(),
});
export type NewUser = z.infer<typeof newUser>;

/** Sent by the host for the command line, an accepted invitation, or a first sign-in with a provider (requests 2.3). */
export const createUser = command({
  name: "user.create",
  version: 1,
  senders: { console: "host" },
  input: newUser,
});

/** Ends a user's access: sessions and tokens end, and signing in is refused. Their records stay. */
export const deactivateUser = command({
  name: "user.deactivate",
  version: 1,
  senders: { route: "administrator", console: "host" },
  input: z.object({ id: z.string() }),
});

/** Lets a deactivated or unconfirmed user sign in. Ended sessions and tokens stay ended. */
export const activateUser = command({
  name: "user.activate",
  version: 1,
  senders: { route: "administrator", console: "host" },
  input: z.object({ id: z.string() }),
});

/**
 * Changes a user's groups: adds, replaces or removes the listed names (requests 12.1). A sign-in with a provider changes
 * them too, by the operator's mapping.
 */
export const changeGroups = command({
  name: "user.groups",
  version: 1,
  senders: { route: "manager", console: "host" },
  input: z.object({ userId: z.string(), how: z.enum(["add", "replace", "remove"]), body: z.unknown().optional() }),
});
export type ChangeGroups = z.infer<typeof changeGroups.input>;

export const groupsBody = z.object({ groups: z.array(z.string()) });
