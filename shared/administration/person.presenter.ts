import type { UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { isSelf, mayReadUser } from "../users/user.policy.ts";
import { pictureDigest, presentProfile } from "../users/user.presenter.ts";

/** What is shown of a person to administrators. */
interface ShownPerson {
  user: UserRow;
  state: string;
  roles: readonly string[];
  lastSeen: number | undefined;
  usedBytes: number;
  quotaBytes: number;
  hasOwnQuota: boolean;
  hasSecondFactor: boolean;
}

/** A person for administrators. A picture is named only to a caller to whom the server shows it. */
export function presentPerson(person: ShownPerson, baseUrl: string, caller: Caller): Record<string, unknown> {
  const { user, lastSeen } = person;
  const self = `${baseUrl}/api/administration/people/${user.id}`;
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    profile: presentProfile(user, mayReadUser(caller, user) ? pictureDigest(user) : undefined),
    visibility: user.visibility,
    state: person.state,
    roles: person.roles,
    created: isoTime(user.created),
    last_seen: lastSeen === undefined ? null : isoTime(lastSeen),
    storage: { used_bytes: person.usedBytes, quota_bytes: person.quotaBytes, has_own_quota: person.hasOwnQuota },
    has_second_factor: person.hasSecondFactor,
    is_current_user: isSelf(caller, user.id),
    links: { self, groups: `${baseUrl}/api/users/${user.id}/groups` },
  };
}
