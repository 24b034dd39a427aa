import { z } from "zod";

const isLoopbackUrl = (text: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(text);

/** The text of a secret stands in an environment variable or in a file, so the configuration file holds none. */
const clientSecret = z.union(
  [z.strictObject({ environment: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  { error: '{"environment": "NAME"} or {"file": "PATH"} is expected' },
);

const provider = z.strictObject({
  /** Part of the addresses `/sign-in/{id}` and `/sign-in/{id}/callback`. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "lower-case letters, digits and hyphens are expected")
    .refine((id) => id !== "link" && id !== "code", "link and code are addresses of other pages"),
  label: z.string().trim().min(1).max(100),
  /** The subject of an `orcid` provider is an ORCID iD. */
  kind: z.enum(["oidc", "orcid"]).default("oidc"),
  issuer: z.url().refine((url) => url.startsWith("https://") || isLoopbackUrl(url), "an https address is expected"),
  client_id: z.string().min(1),
  client_secret: clientSecret.optional(),
  scope: z
    .string()
    .regex(/(^| )openid( |$)/, "the scope openid is missing")
    .optional(),
  /** Who gets in: users who linked the provider; also invited users; also anyone, who gets a new account. */
  accounts: z.enum(["linked", "invited", "anyone"]).default("linked"),
  /** Domains of e-mail addresses that the provider decides on: its verified addresses count as those of accounts here. */
  email_domains: z.array(z.string().toLowerCase().min(3)).default([]),
  /**
   * The claim with a user's groups at the provider, and the group here for each of its values. Values that are not in the
   * mapping give nothing. `scope` must ask for the claim.
   */
  groups_claim: z
    .strictObject({ claim: z.string().min(1).max(255), groups: z.record(z.string().min(1), z.string().min(1)) })
    .optional(),
});

export type SignInProvider = z.infer<typeof provider>;

/** How users sign in besides their passwords (web 9). */
export const signInSettings = z
  .strictObject({
    providers: z
      .array(provider)
      .max(20)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "two providers have the same id")
      .default([]),
    /** `administrators`: their rights wait until they have set up a second factor. */
    second_factor: z.enum(["optional", "administrators"]).default("optional"),
  })
  .prefault({});
