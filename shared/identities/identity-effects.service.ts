import type { IdentityRow } from "../database/schema.ts";
import type { GroupService } from "../groups/group.service.ts";
import { isValidIdentifier, normaliseIdentifier } from "../identifiers/scheme.schema.ts";
import { system } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { MembershipService } from "../users/membership.service.ts";
import type { ProfileService } from "../users/profile.service.ts";
import { grantsSuperuser } from "../users/user.policy.ts";
import type { UserService } from "../users/user.service.ts";
import type { IdentityKey } from "./identity.policy.ts";
import { findIdentity, updateIdentity } from "./identity.repository.ts";

export interface IdentityEffects {
  /**
   * After a sign-in or a new link. Maps the provider's values to groups: adds new ones, and removes those from earlier
   * values of this provider. Notes an ORCID iD as verified.
   */
  applyClaims(key: IdentityKey, values: readonly string[]): Promise<void>;
  /** Removes what a linked account gave, after it was removed. */
  revokeClaims(row: IdentityRow): Promise<void>;
}

export interface EffectParts {
  host: Host;
  users: Pick<UserService, "groupsOf">;
  groups: Pick<GroupService, "find">;
  memberships: Pick<MembershipService, "change">;
  profiles: Pick<ProfileService, "verifyOrcid">;
}

/** Some providers write their address with a slash at its end, and operators without. */
const isSame = (one: string, other: string): boolean => one.replace(/\/$/, "") === other.replace(/\/$/, "");

/**
 * What follows from an account at a provider besides signing in (web 9).
 * @throws Failure `unavailable` for a mapping to a group that makes administrators.
 */
export function identityEffects({ host, users, groups, memberships, profiles }: EffectParts): IdentityEffects {
  const { db, settings } = host;
  const { providers } = settings.sign_in;
  for (const { id, groups_claim } of providers) {
    const made = Object.values(groups_claim?.groups ?? {}).find(grantsSuperuser);
    if (made === undefined) continue;
    throw new Failure("unavailable", `The provider ${id} must not give the group ${made}, which makes superusers.`);
  }

  const change = async (userId: string, how: "add" | "remove", names: string[]): Promise<void> => {
    if (names.length > 0) await memberships.change(system, { userId, how, body: { groups: names } });
  };

  /** The groups here that the operator has for these values, as far as they exist. */
  async function mapped(issuer: string, values: readonly string[]): Promise<string[]> {
    const names = new Set<string>();
    for (const provider of providers.filter((one) => isSame(one.issuer, issuer))) {
      const map = provider.groups_claim?.groups ?? {};
      for (const value of values) if (Object.hasOwn(map, value)) names.add(map[value] ?? "");
    }
    const found = await Promise.all([...names].map((name) => groups.find(db, name)));
    return found.flatMap((group) => (group ? [group.name] : [])).sort();
  }

  const givenBy = ({ groups: names }: IdentityRow): string[] => JSON.parse(names);
  const isOrcid = (issuer: string): boolean =>
    providers.some((one) => one.kind === "orcid" && isSame(one.issuer, issuer));

  return {
    async applyClaims(key, values) {
      const row = await findIdentity(db, key);
      if (!row) return;
      const { user_id: userId, issuer, subject } = row;
      const wanted = await mapped(issuer, values);
      const [present, given] = [await users.groupsOf(db, userId), givenBy(row)];
      const added = wanted.filter((name) => !present.includes(name));
      const removed = given.filter((name) => !wanted.includes(name) && present.includes(name));
      await change(userId, "add", added);
      await change(userId, "remove", removed);
      // A group that somebody gave by hand is not removed by the provider.
      const now = JSON.stringify([...new Set([...given.filter((name) => wanted.includes(name)), ...added])].sort());
      if (now !== row.groups) await updateIdentity(db, key, { groups: now });
      if (isOrcid(issuer) && isValidIdentifier("orcid", subject)) {
        await profiles.verifyOrcid(userId, normaliseIdentifier("orcid", subject));
      }
    },
    async revokeClaims(row) {
      const present = await users.groupsOf(db, row.user_id);
      await change(
        row.user_id,
        "remove",
        givenBy(row).filter((name) => present.includes(name)),
      );
      if (isOrcid(row.issuer)) await profiles.verifyOrcid(row.user_id, null);
    },
  };
}
