import type { UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { isSelf, seesEmail } from "./user.policy.ts";

export interface UserView {
  baseUrl: string;
  caller: Caller;
  /** Whether the caller may change this user's groups. */
  managesGroups: boolean;
}

/** The digest of a user's picture; undefined without one. */
export function pictureDigest({ preferences }: Pick<UserRow, "preferences">): string | undefined {
  const { picture } = JSON.parse(preferences) as { picture?: unknown };
  return typeof picture === "string" ? picture : undefined;
}

/** @param picture the digest of the user's picture; a part of it tells clients when the picture changes */
export const presentProfile = ({ full_name, affiliations }: UserRow, picture: unknown): Record<string, unknown> => ({
  full_name,
  affiliations,
  ...(typeof picture === "string" ? { picture: picture.slice(0, 16) } : {}),
});

/** A user as the caller may see them (requests 12). */
export function presentUser(user: UserRow, view: UserView): Record<string, unknown> {
  const self = `${view.baseUrl}/api/users/${user.id}`;
  const isOwn = isSelf(view.caller, user.id);
  const { orcid, orcid_verified, picture, ...preferences } = JSON.parse(user.preferences) as Record<string, unknown>;
  return {
    id: user.id,
    username: user.username,
    ...(seesEmail(view.caller, user) ? { email: user.email } : {}),
    profile: presentProfile(user, picture),
    ...(typeof orcid === "string"
      ? { identities: { orcid, ...(orcid === orcid_verified ? { orcid_verified: true } : {}) } }
      : {}),
    is_current_user: isOwn,
    ...(isOwn ? ownFields(user, preferences) : {}),
    links: {
      self,
      avatar: `${self}/avatar.svg`,
      ...(view.managesGroups ? { groups: `${self}/groups` } : {}),
    },
  };
}

/** Fields that only the user sees, not even a superuser. */
function ownFields(user: UserRow, preferences: Record<string, unknown>): Record<string, unknown> {
  const { visibility, email_visibility } = user;
  return {
    revision_id: user.revision_id,
    created: isoTime(user.created),
    updated: isoTime(user.updated),
    active: user.active === 1,
    confirmed: user.confirmed === 1,
    preferences: { visibility, email_visibility, ...preferences },
  };
}
