import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast } from "../../shared/access/level.policy.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { exportBundle, isForEverybody } from "../../shared/bundles/bundle.service.ts";
import { transaction } from "../../shared/database/open.ts";
import type { GroupService } from "../../shared/groups/group.service.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { forbidden, unknownPid } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { RequestService } from "../../shared/requests/request.service.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { isReviewing, listAccess } from "./audience.repository.ts";
import { addToFeed, listFollowers } from "./feed.repository.ts";
import { rowsOnOpening } from "./feed.service.ts";
import type { FeedSignal } from "./feed-signal.ts";
import { findFamilyOf, insertSubscription } from "./open.repository.ts";

type OpenedKind = "record" | "request" | "user" | "group";

export interface OpenService {
  /** Opens an object on a replica, which holds it from now on. @throws Failure 404 if unknown, 403 without access. */
  open(caller: Caller, kind: OpenedKind, id: string): Promise<Bundle>;
  /** Puts the user's own card and groups into their feed, however the account was created. */
  includeSelf(caller: Caller): Promise<Bundle>;
}

export interface OpenParts {
  host: Host;
  access: AccessService;
  requests: RequestService;
  users: UserService;
  groups: GroupService;
  signal: FeedSignal;
}

export function openService({ host, access, requests, users, groups, signal }: OpenParts): OpenService {
  async function resolve(caller: Caller, kind: OpenedKind, id: string): Promise<ObjectRef> {
    if (kind === "record") {
      const family = await findFamilyOf(host.db, id);
      if (family === undefined) throw unknownPid();
      await assertMayHold(caller, family);
      return { kind: "family", id: family };
    }
    if (kind === "request") {
      const { request } = await requests.requireReadable(host.db, caller, id);
      return { kind: "request", id: request.id };
    }
    if (kind === "user") return { kind, id: (await users.requireReadable(host.db, caller, id)).id };
    return { kind: "group", id: (await groups.requireReadable(host.db, caller, id)).name };
  }

  async function assertMayHold(caller: Caller, family: string): Promise<void> {
    const { level } = await access.of(host.db, caller, family);
    if (isAtLeast(level, "view") || (await listAccess(host.db, family)).some(isForEverybody)) return;
    if (!(await isReviewing(host.db, family, caller.userId ?? ""))) throw forbidden();
  }

  return {
    async includeSelf(caller) {
      const ref: ObjectRef = { kind: "user", id: caller.userId ?? "" };
      const followers = await listFollowers(host.db, ref);
      if (!followers.some((row) => row.user_id === ref.id)) {
        await transaction(host.db, async (tx) => {
          await addToFeed(tx, [{ user_id: ref.id, kind: ref.kind, object_id: ref.id, state: "live" }]);
        });
        signal.notify([ref.id]);
      }
      return exportBundle(host.db, access, caller, ref);
    },
    async open(caller, kind, id) {
      const ref = await resolve(caller, kind, id);
      const userId = caller.userId ?? "";
      await transaction(host.db, async (tx) => {
        await insertSubscription(tx, { user_id: userId, kind: ref.kind, object_id: ref.id, created: host.now() });
        await addToFeed(tx, await rowsOnOpening(tx, { access, settings: host.settings }, userId, ref));
      });
      // Other replicas of the same user get it too.
      signal.notify([userId]);
      return exportBundle(host.db, access, caller, ref);
    },
  };
}
