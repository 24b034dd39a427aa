import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openReplica, type RunningReplica } from "../../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../../shared/kernel/environment.ts";
import { createLog } from "../../../shared/kernel/log.ts";
import { complete } from "../../support/fake-invenio/complete.ts";
import { addFile, must } from "../../support/files.ts";
import { HttpClient } from "../../support/http-client.ts";
import { RealSite } from "../../support/invenio/real-site.ts";
import type { SiteFile } from "../../support/invenio/site-file.ts";
import { until } from "../../support/until.ts";

/** The clocks of the desks run this many times as fast: their pauses are short, lists stay late enough to matter. */
const haste = 8;
/** A server that starts answers within so many seconds. */
const maxTries = 180;

export interface WeekDesk {
  name: string;
  replica: RunningReplica;
  client: HttpClient;
  isPaused: boolean;
  close(): Promise<void>;
}

/** A draft that somebody made at a desk, and what people last did with it. */
export interface Made {
  desk: WeekDesk;
  /** Its id at first. The server gives another. */
  localId: string;
  /** A family name of a creator, which nobody edits: the draft is told by it. */
  name: string;
  /** Each field is written by one person alone, so its last value must stand. */
  fields: Map<string, string>;
  /** MD5 by name. */
  files: Map<string, string>;
  isDiscarded: boolean;
  presses: number;
}

export interface Week {
  site: RealSite;
  desks: [WeekDesk, WeekDesk];
  /** The user in her browser. It has a connection of its own, without faults. */
  browser: HttpClient;
  /** The token that the desks have. */
  token: string;
  made: Made[];
  said: string[];
  request: string;
  counts: Map<string, number>;
  close(): Promise<void>;
}

export const md5Of = (bytes: string | Uint8Array): string => `md5:${createHash("md5").update(bytes).digest("hex")}`;
export const draftAt = (id: string): string => `/api/records/${id}/draft`;
const commentOf = (content: string) => ({ payload: { content, format: "html" } });

async function openDesk(name: string): Promise<WeekDesk> {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-week-"));
  const machine = machineEnvironment();
  const start = machine.now();
  const environment = { ...machine, now: () => start + (machine.now() - start) * haste };
  const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: false });
  const client = new HttpClient(replica.url, replica.guard.secret);
  const close = async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { name, replica, client, isPaused: false, close };
}

/** A submission to a community, in whose conversation the week's comments stand. */
async function givenRequest(ada: HttpClient, grace: HttpClient): Promise<string> {
  const access = { visibility: "public", review_policy: "closed" };
  const body = { slug: `week-${Date.now()}`, metadata: { title: "Week" }, access };
  const community = must(await grace.post("/api/communities", body), 201).body.id;
  const { files: _, ...content } = complete;
  const draft = must(await ada.post("/api/records", content), 201).body.id;
  await addFile(ada, draft, "tides.csv", "hour,height");
  const review = { type: "community-submission", receiver: { community } };
  must(await ada.put(`${draftAt(draft)}/review`, review), 200);
  return must(await ada.post(`${draftAt(draft)}/actions/submit-review`, commentOf("Please")), 202).body.id;
}

export const connect = async ({ site, desks, token }: Week): Promise<void> => {
  for (const { client } of desks) must(await client.post("/api/sync/connect", { server: site.url, token }), 200);
};

export async function openWeek(file: SiteFile): Promise<Week> {
  const site = new RealSite(file);
  await site.listen();
  const ada = site.person("ada");
  // The browser signs in by itself: its token is not the one that is revoked.
  const browser = new HttpClient(file.url, site.person("ada").token);
  const request = await givenRequest(browser, site.person("grace").client);
  const desks: Week["desks"] = [await openDesk("first desk"), await openDesk("second desk")];
  const close = async () => {
    for (const desk of desks) await desk.close();
    await site.stop();
  };
  const counts = new Map<string, number>();
  const week = { site, desks, browser, token: ada.token, made: [], said: [], request, counts, close };
  await connect(week);
  for (const { client } of desks)
    await until(async () => (await client.get("/api/sync/status")).body.state === "up_to_date", "the first copy");
  return week;
}

/** Reads in the browser, again until the server answers: it may just be restarted. */
export async function readThere({ browser }: Week, path: string) {
  for (let tries = 1; ; tries++) {
    try {
      return await browser.get(path);
    } catch (error) {
      if (tries === maxTries) throw error;
      await sleep(1000);
    }
  }
}

/** The draft as a desk has it; undefined if it is not there. */
export async function draftHere({ client }: WeekDesk, id: string) {
  const path = draftAt(id);
  const first = await client.get(path);
  const moved = first.headers.get("location");
  const { status, body } = moved === null ? first : await client.get(new URL(moved, client.url).pathname);
  return status === 200 ? body : undefined;
}

/** Its id at the server; undefined while only the desk has it. */
export async function idThere(week: Week, { desk, localId }: Made): Promise<string | undefined> {
  const here = await draftHere(desk, localId);
  if (!here) return undefined;
  return (await readThere(week, draftAt(here.id))).status === 200 ? String(here.id) : undefined;
}

export const comment = async (week: Week, desk: WeekDesk, text: string): Promise<void> => {
  const { status } = await desk.client.post(`/api/requests/${week.request}/comments`, commentOf(text));
  if (status === 201) week.said.push(text);
};

/** Operations of a desk that were not sent yet. */
export const unsent = async ({
  client,
}: WeekDesk): Promise<{ kind: string; message?: string; object: { id: string } }[]> =>
  (await client.get("/api/sync/operations?size=500")).body.hits.hits;
