import { z } from "zod";

/**
 * What a host offers beyond the common API. The app asks for a feature, never for the role.
 *
 * `public_pages`: pages for everybody; `sign_in`: browsers sign in with name and password; `sessions`: users see and end
 * their sessions; `sync`: the host is a copy that synchronises with a server; `keeping`: rules for files that are kept
 * offline; `salvage`: a damaged database is repaired in the app; `local_files`: the files are on the user's computer;
 * `desk`: notes of the app; `presence`: who else has a draft open; `events`: changes as they happen.
 */
export const hostFeature = z.enum([
  "public_pages",
  "sign_in",
  "sessions",
  "sync",
  "keeping",
  "salvage",
  "local_files",
  "desk",
  "presence",
  "events",
]);
export type HostFeature = z.infer<typeof hostFeature>;

/** A way to sign in besides the password, such as ORCID. */
const signInProvider = z.object({ id: z.string(), label: z.string(), kind: z.string() });

export const hostView = z.object({
  role: z.enum(["server", "replica"]),
  version: z.string(),
  name: z.string(),
  base_url: z.string(),
  features: z.array(hostFeature),
  sign_in: z.object({ password: z.boolean(), reset: z.boolean(), providers: z.array(signInProvider) }),
  languages: z.array(z.string()),
});
export type HostView = z.infer<typeof hostView>;
