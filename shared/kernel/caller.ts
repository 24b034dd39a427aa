export type Scope = "read" | "write" | "tokens";

/** Who makes a call, as the host found out from the credentials. */
export interface Caller {
  /** Absent for an anonymous caller. */
  readonly userId: string | null;
  /** Names of the user's groups. */
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<Scope>;
  /** Secrets of access links shown with the call (`?token=`). */
  readonly linkTokens: readonly string[];
  /** How the user authenticated. A `session` needs a CSRF header; a `replica` is the user of a data folder. */
  readonly via: "anonymous" | "token" | "session" | "replica" | "system";
  /** The caller's network address, if known. */
  readonly address?: string;
  /** Id of the API token used. */
  readonly tokenId?: string;
  /** Id of the browser session used: the digest of its cookie. */
  readonly sessionId?: string;
}

export const anonymous: Caller = {
  userId: null,
  roles: new Set(),
  scopes: new Set(),
  linkTokens: [],
  via: "anonymous",
};

/** The service itself: expiry, embargo lifting, jobs. */
export const system: Caller = {
  ...anonymous,
  userId: "system",
  roles: new Set(["superuser-access"]),
  scopes: new Set(["read", "write"]),
  via: "system",
};

/** Has no credentials and no access link: reads what is public, and nothing else. */
export const isPublicReader = ({ via, linkTokens }: Caller): boolean => via === "anonymous" && linkTokens.length === 0;

/** Passes every permission check, never a state or validation check. */
export const isSuperuser = (caller: Caller): boolean =>
  caller.roles.has("superuser-access") || caller.roles.has("admin");

/** May manage groups and users, and previews every draft and record (records 2). */
export const isManager = (caller: Caller): boolean => caller.roles.has("administration-moderation");
