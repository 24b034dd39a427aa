import { superuser } from "../../support/superuser.ts";
import { accessActions } from "./access-actions.ts";
import { type Actions, anyOf } from "./action.ts";
import { expiredInTime, expiredRightly } from "./clock-invariants.ts";
import { draftActions } from "./draft-actions.ts";
import { fileActions } from "./file-actions.ts";
import { reviewActions } from "./review-actions.ts";
import { people } from "./step.ts";

const hour = 3_600_000_000;

/** Concurrent actions of two windows; none reads what it overwrites. */
const atOnce: Actions = {
  create: draftActions.create,
  publish: draftActions.publish,
  discard: draftActions.discard,
  "edit again": draftActions["edit again"],
  "new version": draftActions["new version"],
  ...reviewActions,
  attach: (scene) => fileActions.attach?.(scene) ?? Promise.resolve(undefined),
  ...accessActions,
};

/** Rarer steps: changes of requests and groups while users are offline, and one user in two windows. */
export const moderationActions: Actions = {
  async "server: expire"({ world }) {
    world.environment.advance(2 * hour);
    await world.server.services.requestActions.expireDue();
    await expiredRightly(world);
    return "what was due has expired";
  },
  /** The operator sets the server's clock forwards or back. */
  async "server: clock"({ world }) {
    await expiredInTime(world);
    const days = world.chance.happens(0.3) ? 0 : world.chance.below(801) - 400;
    world.setClock("server", days * 24 * hour);
    return `the clock of the server is wrong by ${days} days`;
  },
  async "server: change request"(scene) {
    const { place, world } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const receiver = { user: world.idOf(world.chance.pick(people) ?? "carol") };
    const input = { id: request.id, revision: undefined, body: { receiver, title: "Please look again" } };
    await place.services.requestChanges.update(place.caller, input);
    return `another receiver for ${request.id}`;
  },
  async "server: delete request"(scene) {
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    await scene.place.services.requestChanges.remove(scene.place.caller, { id: request.id, revision: undefined });
    return `delete request ${request.id}`;
  },
  async "server: request review of record"(scene) {
    const { place, world } = scene;
    const record = await anyOf(scene, "record");
    if (!record) return undefined;
    const body = { receiver: { user: world.idOf(world.chance.pick(people) ?? "carol") }, title: "Please look" };
    const id = await place.services.recordRequests.create(place.caller, {
      recordId: record.id,
      id: place.newUuid(),
      body,
    });
    return `ask for a review of the record ${record.id}: ${id}`;
  },
  /** Deletes a group with its grants and creates another one of the same name, without grants. */
  async "server: recreate group"({ world, ledger }) {
    const { db, services } = world.server;
    const isThere = await services.groups.find(db, "lab");
    if (!isThere) {
      await services.groups.provide({ name: "lab", description: null, is_managed: true });
      return "the lab begins anew";
    }
    const grants = db.selectFrom("access_grant").select("id").where("subject_type", "=", "role");
    for (const { id } of await grants.where("subject_id", "=", "lab").execute()) ledger.dropped.add(id);
    await services.groups.remove(superuser, { name: "lab" });
    return "the lab is no more";
  },
  async "change link"(scene) {
    const { place, world } = scene;
    const link = await anyOf(scene, "access_link");
    const drafts = place.db
      .selectFrom("draft")
      .select("id")
      .where("parent_id", "=", link?.parent_id ?? "");
    const records = place.db
      .selectFrom("record")
      .select("id")
      .where("parent_id", "=", link?.parent_id ?? "");
    const member = (await drafts.executeTakeFirst()) ?? (await records.executeTakeFirst());
    if (!link || !member) return undefined;
    const permission = world.chance.pick(["view", "preview", "edit"] as const) ?? "view";
    await place.services.links.update(place.caller, { id: link.id, recordId: member.id, permission });
    return `the link ${link.id} is to ${permission} now`;
  },
  /** Two concurrent actions in two windows of one replica, while it syncs. */
  async "replica: two windows"(scene) {
    const { replica } = scene.place;
    if (!replica) return undefined;
    const names = Object.keys(atOnce);
    const done = [scene.world.chance.pick(names), scene.world.chance.pick(names)].map(async (name = "create") => {
      scene.world.log.push(`meanwhile: ${await atOnce[name]?.(scene)}`);
    });
    scene.world.watch.isLooking = false;
    const ends = await Promise.allSettled([...done, replica.pushOnce(), replica.pullOnce()]);
    scene.world.watch.isLooking = true;
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return "two windows while it sends and fetches";
  },
};
