import { z } from "zod";
import { newPassword } from "../sign-in/sign-in.schema.ts";
import { newUser } from "../users/user.schema.ts";

const { username, email, full_name } = newUser.shape;

/** The body of `POST /api/invitations`. */
export const newInvitation = z.object({
  email: email.max(255).overwrite((text) => text.trim().toLowerCase()),
  roles: z.array(z.string()).max(100).default([]),
});

export type NewInvitation = z.infer<typeof newInvitation>;

/** What an invited user chooses. */
export const acceptance = z.object({ username, full_name, password: newPassword });

/** Who gets an account with the identity that they came with. `provider` is the id of the provider's settings. */
export const newcomer = z.object({
  username,
  full_name,
  provider: z.string(),
  identity: z.object({ issuer: z.string(), subject: z.string(), label: z.string() }),
  /** The page that they came from. */
  next: z.string().default("/"),
});
export type Newcomer = z.infer<typeof newcomer>;
export type Acceptance = z.infer<typeof acceptance>;
