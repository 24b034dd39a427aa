import { findOperation, listOpen, listUnsent } from "../../../main/sync/operation.repository.ts";
import { madeBy } from "../../../main/sync/part.policy.ts";
import { listChangesOf } from "../../../main/sync/part.repository.ts";
import { freeStorage } from "../../../main/sync/storage.ts";
import { replaceDocument } from "../../../server/sync/live/compaction.repository.ts";
import { sweepBytes } from "../../../shared/blobs/sweep.ts";
import { compact } from "../../../shared/documents/compaction.ts";
import { system } from "../../../shared/kernel/caller.ts";
import { superuser } from "../../support/superuser.ts";
import { type Actions, anyOf, type Scene } from "./action.ts";
import { draftActions } from "./draft-actions.ts";
import { heal } from "./heal.ts";
import { markersIn } from "./ledger.ts";
import type { SimReplica } from "./sim-replica.ts";

const day = 86_400_000_000;

function replicaOf({ place }: Scene): SimReplica {
  if (!place.replica) throw new Error("this happens on a replica only");
  return place.replica;
}

async function anyRefused(scene: Scene) {
  return scene.world.pick(await replicaOf(scene).tray.list(), ({ object_id }) => object_id);
}

const trayActions: Actions = {
  async "tray: retry"(scene) {
    const refused = await anyRefused(scene);
    if (!refused) return undefined;
    scene.world.watch.refused(new Set([refused.wire_id]));
    await replicaOf(scene).tray.retry(refused.id);
    return `try ${refused.kind} ${refused.id} again`;
  },
  async "tray: copy"(scene) {
    const refused = await anyRefused(scene);
    if (!refused) return undefined;
    const copied = await replicaOf(scene).tray.copy(refused.id);
    return `copy ${refused.kind} ${refused.id} to a ${copied.kind}`;
  },
  async "tray: discard"(scene) {
    const refused = await anyRefused(scene);
    if (!refused) return undefined;
    const { ledger } = scene;
    const row = await findOperation(scene.place.db, refused.id);
    for (const marker of markersIn(row?.payload ?? "")) ledger.dropped.add(marker);
    for (const made of [...ledger.files, ...ledger.grants, ...ledger.links]) {
      if (row?.payload.includes(made.id)) ledger.dropped.add(made.id);
    }
    ledger.dropped.add(refused.id);
    // The bytes of a new file go with it.
    const files: { id: string }[] = row?.kind === "file.init" ? JSON.parse(row.payload).files : [];
    for (const { id, kind, payload } of await listUnsent(scene.place.db))
      if (kind.startsWith("file.") && files.some((file) => payload.includes(file.id))) ledger.dropped.add(id);
    // So do the changes of what it made.
    for (const { id, payload } of row ? await listChangesOf(scene.place.db, madeBy(row)) : []) {
      ledger.dropped.add(id);
      for (const marker of markersIn(payload)) ledger.dropped.add(marker);
    }
    await replicaOf(scene).tray.discard(refused.id);
    return `give ${refused.kind} ${refused.id} up`;
  },
  async "tray: withdraw"(scene) {
    const replica = replicaOf(scene);
    const waiting = (await listUnsent(replica.db)).filter(({ delivery }) => delivery === "ask");
    const decision = scene.world.pick(waiting);
    if (!decision) return undefined;
    const later = (await listOpen(replica.db)).filter(
      ({ position, delivery, object_id }) =>
        delivery === "ask" && position >= decision.position && object_id === decision.object_id,
    );
    for (const { id, payload } of later) {
      scene.ledger.dropped.add(id);
      for (const marker of markersIn(payload)) scene.ledger.dropped.add(marker);
    }
    await replica.tray.withdraw(decision.id);
    return `take ${decision.kind} ${decision.id} back`;
  },
  async "storage: free"(scene) {
    await freeStorage(scene.place.db, replicaOf(scene).blobs);
    return "free storage";
  },
};

const lineActions: Actions = {
  "sync: push": async (scene) => `sent ${await replicaOf(scene).pushOnce()}`,
  "sync: pull": async (scene) => `fetched${(await replicaOf(scene).pullOnce()) ? ", more is waiting" : ""}`,
  async "sync: fetch all"(scene) {
    await replicaOf(scene).pullAll();
    return "fetched";
  },
  "sync: upload": async (scene) => `brought the bytes of ${await replicaOf(scene).uploadAll()}`,
  async "sync: both at once"(scene) {
    const replica = replicaOf(scene);
    scene.world.watch.isLooking = false;
    const ends = await Promise.allSettled([replica.pushOnce(), replica.pullOnce(), replica.pullOnce()]);
    scene.world.watch.isLooking = true;
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return "send and fetch at once";
  },
  /** A page of the feed, and the user's reaction to it, arrive before the answer to a push. */
  async "sync: feed before the answer"(scene) {
    const replica = replicaOf(scene);
    const sent = await replica.pushSlowly(async () => {
      if (scene.world.chance.happens(0.3)) await scene.world.restoreServer();
      await replica.pullAll();
      if (scene.world.chance.happens(0.5)) await trayActions["tray: discard"]?.(scene);
    });
    return `sent ${sent}, answered late`;
  },
  /** A page of the feed rejects an operation before the answer to its push arrives. */
  async "sync: rejected during a push"(scene) {
    const sent = await replicaOf(scene).pushSlowly(async () => {
      await replicaOf(scene).pullAll();
      await trayActions["tray: discard"]?.(scene);
    });
    return `sent ${sent}, given up meanwhile`;
  },
  /** The user edits the object of an operation while the answer to its push is on the way. */
  async "sync: edited during a push"(scene) {
    const sent = await replicaOf(scene).pushSlowly(async () => {
      scene.world.log.push(`meanwhile: ${await draftActions["rename creator"](scene)}`);
    });
    return `sent ${sent}`;
  },
  /** The answer to a push arrives after the server was restored. */
  async "sync: answered by an earlier epoch"(scene) {
    const sent = await replicaOf(scene).pushSlowly(async () => {
      await scene.world.restoreServer();
      await replicaOf(scene).pullAll();
    });
    return `sent ${sent} to a server that goes back`;
  },
  async "sync: all"({ world }) {
    await heal(world);
    return "send and fetch everything";
  },
  async "sync: leases"(scene) {
    await replicaOf(scene).topUp();
    return "fetch ids";
  },
  async "sync: partition"(scene) {
    const replica = replicaOf(scene);
    replica.isPartitioned = !replica.isPartitioned;
    return replica.isPartitioned ? "the line is cut" : "the line is back";
  },
  async "sync: online"(scene) {
    const replica = replicaOf(scene);
    replica.isPartitioned = false;
    replica.isTokenExpired = false;
    return "the line is there";
  },
  async "sync: token expires"(scene) {
    replicaOf(scene).isTokenExpired = true;
    return "the token has expired";
  },
  async "sync: sign in"(scene) {
    replicaOf(scene).isTokenExpired = false;
    return "signed in";
  },
  /** Opens any published record of the server, which the replica may not hold yet. */
  async "sync: open"(scene) {
    const { world, place } = scene;
    const records = await world.server.db.selectFrom("record").select("id").orderBy("id").execute();
    const record = world.chance.pick(records);
    if (!record) return undefined;
    await replicaOf(scene).open(record.id);
    return `${place.name} opens ${record.id}`;
  },
};

const replicaActions: Actions = {
  async "replica: restart"(scene) {
    scene.world.environment.advance(scene.world.chance.below(3_600_000_000));
    await replicaOf(scene).restart();
    return "starts again";
  },
  async "replica: clock"({ world, place }) {
    const days = world.chance.below(1461) - 730;
    world.setClock(place.name, days * day);
    return `the clock is wrong by ${days} days`;
  },
  async "replica: sweep"(scene) {
    const { host, blobs, db } = replicaOf(scene);
    scene.world.environment.advance(8 * day);
    await sweepBytes({ db, blobs, now: () => host.now() });
    return "a week later starts again";
  },
  /** Copies the data folder to a second computer. Both continue. */
  async "replica: copied"(scene) {
    const { world } = scene;
    if (world.replicas.length > 5) return undefined;
    return `the folder is copied: ${await world.copyReplica(replicaOf(scene))}`;
  },
  async "replica: backup"(scene) {
    replicaOf(scene).backUp();
    return "the folder is copied";
  },
  async "replica: restored"(scene) {
    return (await scene.world.restoreReplica(replicaOf(scene))) ? "the folder is put back from its copy" : undefined;
  },
};

const serverActions: Actions = {
  async "server: restart"({ world }) {
    world.server.restart();
    return "starts again";
  },
  async "server: sweep"({ world }) {
    const { host, blobs, db } = world.server;
    world.environment.advance(32 * day);
    await sweepBytes({ db, blobs, now: () => host.now() });
    world.server.forgetBackup();
    return "a month later starts again";
  },
  /** Starts a new document without history, as compaction does. */
  async "server: new document"(scene) {
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    const byServer = { senders: { console: "host" } } as const;
    const command = { name: "document.compact", version: 1, ...byServer, input: undefined as never };
    const { host } = scene.world.server;
    await host.write(system, command, undefined as never, async (tx) => {
      const row = await tx.selectFrom("document").selectAll().where("draft_id", "=", draft.id).executeTakeFirst();
      const state = row && compact(row.state, 0);
      const common = { result: null, object: { kind: "draft", id: draft.id }, title: "Tidy" };
      if (!row || !state) return { ...common, touched: [] };
      await replaceDocument(tx, { ...row, state, epoch: row.epoch + 1 });
      return { ...common, touched: [{ kind: "family", id: row.parent_id }] };
    });
    return `the document of ${draft.id} starts anew`;
  },
  async "server: groups"({ world }) {
    const how = world.chance.happens(0.5) ? ("add" as const) : ("remove" as const);
    const name = world.chance.pick(["bob", "carol"]) ?? "bob";
    const { memberships } = world.server.services;
    const input = { userId: world.idOf(name), how, body: { groups: ["lab"] } };
    await memberships.change(superuser, input);
    return `${how} ${name} (lab)`;
  },
  /** The operator changes whether a user is a superuser. */
  async "server: roles"({ world }) {
    const name = world.chance.pick(["bob", "carol"]) ?? "bob";
    const { memberships } = world.server.services;
    const userId = world.idOf(name);
    const role = world.chance.pick(["superuser-access", "administration-moderation"] as const) ?? "superuser-access";
    const row = world.server.db.selectFrom("membership").select("user_id");
    const has = await row.where("user_id", "=", userId).where("group_name", "=", role).executeTakeFirst();
    const how = has ? ("remove" as const) : ("add" as const);
    await memberships.change(superuser, { userId, how, body: { groups: [role] } });
    return `${how} ${name} (${role})`;
  },
  async "server: lock"(scene) {
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const input = { id: request.id, eventId: scene.place.newUuid() };
    const { requestChanges } = scene.place.services;
    if (request.is_locked === 1) await requestChanges.unlock(scene.place.caller, input);
    else await requestChanges.lock(scene.place.caller, input);
    return `(un)lock ${request.id}`;
  },
  async "server: reserve"(scene) {
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    const { dois } = scene.place.services;
    const has = JSON.parse(draft.pids).doi !== undefined;
    await (has ? dois.release : dois.reserve)(scene.place.caller, { id: draft.id });
    return `${has ? "give back" : "reserve"} the DOI of ${draft.id}`;
  },
  async "server: delete record"(scene) {
    const record = await anyOf(scene, "record");
    if (!record) return undefined;
    await scene.world.server.services.deletion.remove(superuser, { id: record.id });
    return `delete record ${record.id}`;
  },
  async "server: restore record"(scene) {
    const rows = scene.place.db.selectFrom("record").selectAll().where("tombstone", "is not", null).orderBy("id");
    const record = scene.world.chance.pick(await rows.execute());
    if (!record) return undefined;
    await scene.world.server.services.deletion.restore(superuser, { id: record.id });
    return `restore record ${record.id}`;
  },
  async "server: backup"({ world }) {
    world.backUpServer();
    return "a backup is made";
  },
  async "server: restored"({ world }) {
    return (await world.restoreServer()) ? "restored from its backup" : undefined;
  },
};

export const worldActions: Actions = { ...trayActions, ...lineActions, ...replicaActions, ...serverActions };
