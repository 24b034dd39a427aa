import { z } from "zod";
import { spokenLanguages } from "../../kernel/languages.schema.ts";
import { address, isoTime, listOf, plainListOf, revision } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const own = "For the person only";
const visibility = z.enum(["public", "restricted"]);

const userShape = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().optional().describe("Only when public, or for the user themselves"),
  profile: z.object({
    full_name: z.string(),
    affiliations: z.string(),
    picture: z.string().optional().describe("Another text for each picture; absent without one"),
  }),
  identities: z
    .object({
      orcid: z.string(),
      orcid_verified: z.boolean().optional().describe("Whether the person signed in with it at ORCID"),
    })
    .optional()
    .describe("Absent when the person gave none"),
  is_current_user: z.boolean(),
  revision_id: revision.optional().describe(own),
  created: isoTime.optional().describe(own),
  updated: isoTime.optional().describe(own),
  active: z.boolean().optional().describe(own),
  confirmed: z.boolean().optional().describe(own),
  preferences: z
    .looseObject({ visibility, email_visibility: visibility, language: z.enum(spokenLanguages).optional() })
    .optional()
    .describe(own),
  links: z.object({ self: address, avatar: address, groups: address.optional() }),
});

const roles = z.array(z.string()).describe("Names of groups that give rights");

/** A person as the caller may see them (requests 12). */
export const user = named("User", "A person.", userShape);
export const userList = named("UserList", "At most ten people; there are no pages.", listOf(user));
export const signedIn = named(
  "SignedIn",
  "The person, and the value for the header `X-CSRFToken` of their session.",
  userShape.extend({ csrf_token: z.string(), roles }),
);
export const self = named("Self", "The caller, and the groups that give them rights.", userShape.extend({ roles }));

export const group = named(
  "Group",
  "A named role of people.",
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    is_managed: z.boolean(),
    created: isoTime,
    updated: isoTime,
    revision_id: revision,
    links: z.object({ self: address, avatar: address }),
  }),
);
export const groupList = named("GroupList", "A page of groups.", listOf(group, { aggregations: ["is_managed"] }));

export const collection = named(
  "Collection",
  "A stored query with a page, a feed and a set of OAI-PMH.",
  z.object({
    id: z.string(),
    slug: z.string().describe("Part of its address"),
    title: z.string(),
    query: z.string(),
    text: z.string(),
    is_fixed: z.boolean().describe("In the server's settings: only the operator changes it"),
    group: z.string().nullable().optional().describe("The group that keeps it; for those who edit it"),
    created: isoTime.optional(),
    updated: isoTime.optional(),
    revision_id: revision.optional(),
    permissions: z.object({ can_update: z.boolean(), can_delete: z.boolean() }),
    links: z.object({ self: address, self_html: address, records: address, feed: address }),
  }),
);
export const collectionList = named("CollectionList", "All collections.", plainListOf(collection));

const groupCard = z.object({ id: z.string(), name: z.string() });
export const userGroups = named(
  "UserGroups",
  "The groups of a person; `available_groups` for callers who may change them.",
  z.object({
    groups: z.array(groupCard),
    total: z.int().min(0),
    available_groups: z
      .array(groupCard.extend({ description: z.string().nullable(), is_managed: z.boolean() }))
      .optional(),
  }),
);
export const changedGroups = named(
  "ChangedGroups",
  "The effect of a change of a person's groups; ids of groups.",
  z.object({ added: z.array(z.string()), groups: z.array(z.string()), removed: z.array(z.string()) }),
);

const tokenShape = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(["read", "tokens", "write"])),
  created: isoTime,
  expires_at: isoTime.nullable(),
  last_used_at: isoTime.nullable(),
  links: z.object({ self: address }),
});

/** A token without its secret (requests 2.3). */
export const token = named("Token", "A token, without its secret.", tokenShape);
export const newSecret = named(
  "NewToken",
  "A new token with its secret, which is shown once.",
  tokenShape.extend({ token: z.string(), token_type: z.literal("Bearer") }),
);
export const tokenList = named("TokenList", "The caller's tokens, newest first.", plainListOf(token));
const invitationShape = z.object({
  id: z.string(),
  email: z.string(),
  roles: z.array(z.string()).describe("Groups of the invited user"),
  invited_by: z.string().nullable().describe("null for the console"),
  created: isoTime,
  expires_at: isoTime,
  links: z.object({ self: address, resend: address }),
});
export const invitation = named(
  "Invitation",
  "An invitation. Without a mail server the answer to its creation has the link that the invited user opens.",
  invitationShape.extend({ link: address.optional() }),
);
export const invitationList = named(
  "InvitationList",
  "Open invitations, the newest first.",
  plainListOf(named("OpenInvitation", "An open invitation.", invitationShape)),
);
export const person = named(
  "Person",
  "A user as administrators see them.",
  z.object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    profile: z.object({ full_name: z.string(), affiliations: z.string() }),
    visibility,
    state: z.enum(["active", "inactive", "unconfirmed"]),
    roles,
    created: isoTime,
    last_seen: isoTime.nullable().describe("The last use of a session or token"),
    storage: z.object({
      used_bytes: z.int().describe("At most a minute old"),
      quota_bytes: z.int(),
      has_own_quota: z.boolean().describe("Whether an administrator set the quota"),
    }),
    has_second_factor: z.boolean(),
    is_current_user: z.boolean(),
    links: z.object({ self: address, groups: address }),
  }),
);
export const personList = named("PersonList", "A page of users.", listOf(person));
export const sentReset = named(
  "SentReset",
  "A link with which a user sets a new password. Without a mail server the answer has the link.",
  z.object({ is_mailed: z.boolean(), email: z.string(), expires_at: isoTime, link: address.optional() }),
);
export const sessionList = named(
  "SessionList",
  "The caller's sessions in browsers, the last used first.",
  plainListOf(
    named(
      "Session",
      "A session in a browser.",
      z.object({
        id: z.string(),
        browser: z.string().nullable().describe("Such as `Firefox`; null if unknown"),
        system: z.string().nullable().describe("Such as `Windows`; null if unknown"),
        user_agent: z.string().describe("What the browser called itself at the sign-in"),
        address: z.string().describe("The network address of the sign-in"),
        created: isoTime,
        last_used_at: isoTime.describe("Exact to five minutes"),
        expires_at: isoTime,
        is_current: z.boolean().describe("Whether this call was made by it"),
        links: z.object({ self: address }),
      }),
    ),
  ),
);
export const identityList = named(
  "IdentityList",
  "The caller's accounts at identity providers, the oldest first.",
  plainListOf(
    named(
      "Identity",
      "An account at an identity provider with which the caller signs in.",
      z.object({
        id: z.string(),
        issuer: z.string().describe("Address of the provider"),
        subject: z.string().describe("The provider's id of the account; for ORCID the iD"),
        label: z.string(),
        provider: z
          .object({ id: z.string(), label: z.string(), kind: z.enum(["oidc", "orcid"]) })
          .nullable()
          .describe("null if this server no longer offers it"),
        created: isoTime,
        last_used_at: isoTime,
        may_remove: z.boolean().describe("false for the last way to sign in"),
        links: z.object({ self: address }),
      }),
    ),
  ),
);
export const secondFactor = named(
  "SecondFactor",
  "The caller's second factor.",
  z.object({
    is_on: z.boolean(),
    since: isoTime.nullable(),
    recovery_codes: z.int().describe("How many are left"),
    is_demanded: z.boolean().describe("Whether the caller's administrative rights wait for it"),
  }),
);
export const newFactor = named(
  "NewSecondFactor",
  "A secret for an app for one-time codes; it counts once a code confirms it.",
  z.object({ secret: z.string(), uri: z.string().describe("What a QR code shows to the app") }),
);
export const recoveryCodes = named(
  "RecoveryCodes",
  "Codes for a lost device, which are shown once. Each works once.",
  z.object({ recovery_codes: z.array(z.string()) }),
);
export const storageUsage = named(
  "StorageUsage",
  "The caller's storage on the server: files of their records and drafts, unfinished uploads, attachments.",
  z.object({ quota_bytes: z.int(), used_bytes: z.int() }),
);
export const message = named("Message", "What was done, in words.", z.object({ message: z.string() }));

export const auditEntry = named(
  "AuditEntry",
  "Who did what, when, from where, by which credential, and with which outcome.",
  z.object({
    id: z.string(),
    created: isoTime,
    action: z.string().describe("Such as `token.create`"),
    resource: z.object({ type: z.string(), id: z.string() }).nullable().describe("What it was done to"),
    user_id: z.string().nullable().describe("null for a stranger, the console and the service itself"),
    user: z.object({ id: z.string(), username: z.string(), email: z.string() }).nullable(),
    metadata: z.object({
      outcome: z.enum(["done", "refused"]),
      status: z.int().min(400).max(599).nullable().describe("The HTTP status of a refusal"),
      via: z.string().describe("`token`, `session`, `password`, `anonymous`, `console` or `system`"),
      credential: z.string().nullable().describe("`token:<id>`, `session:<start of its digest>`, `os-user:<name>`"),
      ip_address: z.string().nullable(),
      details: z.record(z.string(), z.unknown()),
    }),
    links: z.object({ self: address }),
  }),
);
export const auditList = named(
  "AuditList",
  "A page of the audit log; the total counts up to 10,000.",
  listOf(auditEntry),
);
