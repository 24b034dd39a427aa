import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast } from "../../shared/access/level.policy.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { exportBundle, isForEverybody } from "../../shared/bundles/bundle.service.ts";
import { transaction } from "../../shared/database/open.ts";
import type { GroupService } from "../../shared/groups/group.service.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { forbidden, unknownPid } from "../../shared/kernel/failure.ts";
import type { Host, ObjectRef } from "../../shared/kernel/host.ts";
import type { RequestService } from "../../shared/requests/request.service.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { isReviewing, listAccess } from "./audience.repository.ts";
import { listFollowers, takeSeq, upsertFeed } from "./feed.repository.ts";
import { findFamilyOf, insertSubscription } from "./open.repository.ts";

type OpenedKind = "record" | "request" | "user" | "group";

export interface OpenService {
  /**
   * What a person opened on a replica: from now on it is kept there.
   * @throws Failure 404 unknown, 403 not for her.
   */
  open(caller: Caller, kind: OpenedKind, id: string): Promise<Bundle>;
  /** A person's own card and groups belong on her replicas, whatever made her account. */
  includeSelf(caller: Caller): Promise<Bundle>;
}

export interface OpenParts {
  host: Host;
  access: AccessService;
  requests: RequestService;
  users: UserService;
  groups: GroupService;
}

export function openService({ host, access, requests, users, groups }: OpenParts): OpenService {
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
          const seq = await takeSeq(tx);
          await upsertFeed(tx, [{ user_id: ref.id, kind: ref.kind, object_id: ref.id, seq, state: "live" }]);
        });
      }
      return exportBundle(host.db, access, caller, ref);
    },
    async open(caller, kind, id) {
      const ref = await resolve(caller, kind, id);
      const userId = caller.userId ?? "";
      await transaction(host.db, async (tx) => {
        await insertSubscription(tx, { user_id: userId, kind: ref.kind, object_id: ref.id, created: host.now() });
        const seq = await takeSeq(tx);
        await upsertFeed(tx, [{ user_id: userId, kind: ref.kind, object_id: ref.id, seq, state: "live" }]);
      });
      return exportBundle(host.db, access, caller, ref);
    },
  };
}
