import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import type { UserRow } from "../database/schema.ts";
import type { Call } from "../kernel/call.ts";
import { type Caller, isSuperuser } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { Page } from "../kernel/search-envelope.ts";
import type { SearchRequest } from "../search/search-parameters.ts";
import type { SecondFactors } from "../second-factor/second-factor.service.ts";
import { isSelf } from "../users/user.policy.ts";
import type { UserService } from "../users/user.service.ts";
import { listAllMemberships, listLastSeen, listWithSecondFactor } from "./person.repository.ts";
import { listedPeople, type Person } from "./person-list.ts";

/** A person with their quota. */
export interface PersonDetails extends Person {
  quotaBytes: number;
  hasOwnQuota: boolean;
}

export interface PersonService {
  /** A page of all users, private and inactive ones included. @throws Failure 403 unless administrator. */
  list(caller: Caller, request: SearchRequest): Promise<Page<PersonDetails>>;
  /** @throws Failure 403 unless administrator; 404. */
  require(caller: Caller, id: string): Promise<PersonDetails>;
  /** See `UserService.deactivate`. @throws Failure 403, 404, 400. */
  deactivate(call: Call, id: string): Promise<void>;
  /** @throws Failure 403, 404. */
  activate(call: Call, id: string): Promise<void>;
  /** The user has lost their device and recovery codes. @throws Failure 403, 404; 400 without a second factor, and for the own one. */
  resetSecondFactor(caller: Caller, id: string): Promise<void>;
  /** @param bytes null: the quota of the settings. @throws Failure 403, 404. */
  setQuota(call: Call, id: string, bytes: number | null): Promise<void>;
}

interface PersonParts {
  host: Host;
  users: UserService;
  quota: StorageQuotaService;
  secondFactors: Pick<SecondFactors, "reset">;
}

/** @throws Failure 403. */
export function assertAdministrator(caller: Caller): void {
  if (!isSuperuser(caller)) throw forbidden();
}

/** People as administrators see and change them (app, Missing 10). */
export function personService({ host, users, quota, secondFactors }: PersonParts): PersonService {
  async function details(rows: readonly UserRow[]): Promise<Person[]> {
    const memberships = Map.groupBy(await listAllMemberships(host.db), ({ user_id }) => user_id);
    const lastSeen = await listLastSeen(host.db);
    const used = await quota.usageOfAll();
    const secured = await listWithSecondFactor(host.db);
    return rows.map((user) => ({
      user,
      roles: (memberships.get(user.id) ?? []).map(({ group_name }) => group_name),
      lastSeen: lastSeen.get(user.id),
      usedBytes: used.get(user.id) ?? 0,
      hasSecondFactor: secured.has(user.id),
    }));
  }

  async function withQuota(person: Person): Promise<PersonDetails> {
    const own = await quota.ownQuotaOf(person.user.id);
    return { ...person, quotaBytes: own ?? host.settings.user_quota_bytes, hasOwnQuota: own !== undefined };
  }

  async function assertKnown(caller: Caller, id: string): Promise<UserRow> {
    assertAdministrator(caller);
    const user = await users.find(host.db, id);
    if (!user) throw notFound();
    return user;
  }

  return {
    async list(caller, request) {
      assertAdministrator(caller);
      const found = listedPeople(await details(await users.list(host.db)), request);
      const shown = found.slice(request.offset, request.offset + request.limit);
      return { hits: await Promise.all(shown.map(withQuota)), total: found.length };
    },
    async require(caller, id) {
      const [person] = await details([await assertKnown(caller, id)]);
      if (!person) throw notFound();
      // The own sum is at most a minute old, too, but knows of later uploads.
      const { used_bytes } = await quota.usageOf(id);
      return withQuota({ ...person, usedBytes: used_bytes });
    },
    async deactivate(call, id) {
      await assertKnown(call, id);
      await users.deactivate(id, call);
    },
    async activate(call, id) {
      await assertKnown(call, id);
      await users.activate(id, call);
    },
    async resetSecondFactor(caller, id) {
      await assertKnown(caller, id);
      // Whoever sits at their browser must not get rid of it without a code.
      if (isSelf(caller, id))
        throw new Failure("invalid", "Remove your own second factor on the page of your account.");
      await secondFactors.reset(caller, id);
    },
    async setQuota(call, id, bytes) {
      await assertKnown(call, id);
      await quota.setQuota(call, id, bytes);
    },
  };
}
