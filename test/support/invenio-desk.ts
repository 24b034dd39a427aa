import { cp, rm } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { type Environment, machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { type DeskSite, givenSite, settleMs } from "./desk-site.ts";
import { complete } from "./fake-invenio/complete.ts";
import type { ProfileName } from "./fake-invenio/profile.ts";
import { must } from "./files.ts";
import { HttpClient } from "./http-client.ts";
import { newReplica, synced } from "./two-replicas.ts";
import { until } from "./until.ts";

/** A clock of a replica that a test can move forward. */
function movableClock() {
  const machine = machineEnvironment();
  let ahead = 0;
  const advance = (seconds: number): void => {
    ahead += seconds * 1_000_000;
  };
  const environment = { ...machine, now: () => machine.now() + ahead };
  return { environment, advance };
}

/** A replica of ada that is connected to an InvenioRDM. */
export interface Desk {
  there: DeskSite;
  /** Ada in her browser, on the site itself. */
  ada: ReturnType<DeskSite["person"]>;
  replica: RunningReplica;
  /** The local API. */
  desk: HttpClient;
  /** What the replica runs in. Its clock can be moved. */
  environment: Environment;
  /** Moves the replica's clock forward. */
  advance(seconds: number): void;
  /** The user presses "synchronise now"; resolves when all is settled. */
  run(): Promise<void>;
}

/** @param before what is on the site before the replica connects */
export async function givenDesk(
  { profile = "invenio-14" }: { profile?: ProfileName } = {},
  before: (ada: HttpClient, there: DeskSite) => Promise<unknown> = async () => {},
): Promise<Desk> {
  const there = await givenSite(profile);
  const ada = there.person("ada");
  await before(ada.client, there);
  await there.listed();
  const { environment, advance } = movableClock();
  const replica = await newReplica(environment);
  const desk = new HttpClient(replica.url, replica.guard.secret);
  must(await desk.post("/api/sync/connect", { server: there.url, token: ada.token }), 200);
  await synced(desk);
  return deskOf({ there, ada, environment, advance }, replica);
}

function deskOf(world: Pick<Desk, "there" | "ada" | "environment" | "advance">, replica: RunningReplica): Desk {
  const desk = new HttpClient(replica.url, replica.guard.secret);
  const run = async () => {
    await world.there.listed();
    await desk.post("/api/sync/run");
    await replica.engine.refresh();
    await synced(desk);
  };
  return { ...world, replica, desk, run };
}

/** The desk after its data folder was put into another place, as from a backup. Sync is paused. */
export async function restoredDesk(world: Desk): Promise<Desk> {
  const { location } = (await world.desk.get("/api/sync/storage")).body;
  await world.replica.close();
  const dataDir = `${location}-restored`;
  await cp(location, dataDir, { recursive: true });
  const { environment } = world;
  const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: true });
  onTestFinished(async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return deskOf(world, replica);
}

/** What the user's list of the site shows. */
export async function ownThere({ ada, there }: Desk) {
  await there.listed();
  return must(await ada.client.get("/api/user/records?size=100"), 200).body.hits.hits;
}

/** A draft of a person in the browser. */
export async function givenDraftThere(client: HttpClient, title: string): Promise<string> {
  const { files: _files, ...body } = complete;
  const draft = await client.post("/api/records", {
    ...body,
    metadata: { ...body.metadata, publisher: "A press", title },
  });
  return must(draft, 201).body.id;
}

/** A record that a person published in the browser, with one file. */
export async function givenRecordThere(client: HttpClient, title: string): Promise<string> {
  const id = await givenDraftThere(client, title);
  const path = `/api/records/${id}/draft`;
  must(await client.post(`${path}/files`, [{ key: "tides.csv" }]), 201);
  must(await client.putBytes(`${path}/files/tides.csv/content`, "hour,height\n0,1.2\n"), 200);
  must(await client.post(`${path}/files/tides.csv/commit`), 200);
  must(await client.post(`${path}/actions/publish`), 202);
  return id;
}

/** Sends everything: the pauses of edits and the times of looks are over. */
export async function settle({ there, desk, advance, run }: Desk, seconds = 12): Promise<void> {
  await until(
    async () => {
      advance(seconds);
      // Otherwise the site's limit, which is of a minute there, would leave no call.
      there.site.clock.advance(seconds * 1000);
      await there.listed();
      await desk.post("/api/sync/run");
      return ["up_to_date", "needs_you"].includes((await desk.get("/api/sync/status")).body.state);
    },
    "everything is sent",
    settleMs,
  );
  await run();
}

/** The path of a draft, on a site or a replica. */
export const draftAt = (id: string): string => `/api/records/${id}/draft`;

/** Sets some metadata of a draft, on a site or a replica. @returns the draft then */
export async function editDraft(client: HttpClient, id: string, change: object): Promise<unknown> {
  const { body } = must(await client.get(draftAt(id)), 200);
  return must(await client.put(draftAt(id), { ...body, metadata: { ...body.metadata, ...change } }), 200).body;
}
