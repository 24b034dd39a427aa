import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { FaultProxy } from "../support/fault-proxy.ts";
import { type Answer, HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { until } from "../support/until.ts";
import { Chance } from "./simulator/chance.ts";

/** CARREL_KILLS=500 for a long run, CARREL_SEED for another one. */
const kills = Number(process.env.CARREL_KILLS ?? 12);
const seed = Number(process.env.CARREL_SEED ?? 20261121);
const killsPerStory = 10;

const metadata = {
  title: "Moored temperature series",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [{ person_or_org: { type: "personal", family_name: "Hopper", given_name: "Grace" } }],
};

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

/** A server and a replica in processes of their own. Each is started again after it was killed. */
class Pair {
  readonly chance: Chance;
  readonly folder: string;
  /** Gives the replica one address for the server, whose own port is a new one at each start. */
  readonly #line = new FaultProxy(() => (this.#isServerRunning ? this.serverUrl : undefined));
  serverUrl = "";
  #isServerRunning = false;
  token = "";
  replicaToken = "";
  replicaUrl = "";
  killed = 0;
  #server: CarrelProcess | undefined;
  #replica: CarrelProcess | undefined;

  constructor(seed: number, folder: string) {
    this.chance = new Chance(seed);
    this.folder = folder;
  }

  async start(): Promise<void> {
    await this.#line.listen();
    const data = join(this.folder, "server");
    const user = ["--username", "grace", "--email", "grace@example.org", "--token", "test"];
    const created = await runCarrel("users", "create", "--data", data, ...user);
    expect(created.code, created.stderr).toBe(0);
    this.token = JSON.parse(created.stdout).token;
    await this.startServer();
    await this.startReplica();
  }

  async startServer(): Promise<void> {
    const args = ["server", "--data", join(this.folder, "server"), "--port", "0"];
    this.#server = new CarrelProcess([...args, "--log-level", "fatal"]);
    this.serverUrl = (await this.#server.ready()).url;
    this.#isServerRunning = true;
  }

  async startReplica(): Promise<void> {
    const args = ["replica", "--data", join(this.folder, "replica"), "--server", this.#line.url, "--token", this.token];
    this.#replica = new CarrelProcess([...args, "--log-level", "fatal"]);
    const ready = await this.#replica.ready();
    this.replicaUrl = ready.url;
    this.replicaToken = ready.token ?? "";
  }

  /** Kills one of the two, and starts it again. */
  async strike(): Promise<void> {
    this.killed++;
    if (this.chance.happens(0.5)) {
      await this.#server?.stop("SIGKILL");
      this.#isServerRunning = false;
      await this.#tear("server");
      await this.startServer();
    } else {
      await this.#replica?.stop("SIGKILL");
      await this.#tear("replica");
      await this.startReplica();
    }
  }

  /** Does what a power cut does after the last synced byte: tears the end of the log and of unfinished uploads. */
  async #tear(host: "server" | "replica"): Promise<void> {
    if (this.chance.happens(0.5)) return;
    const data = join(this.folder, host);
    const parts = join(data, "blobs", "uploads");
    const names = await readdir(parts).catch(() => []);
    for (const file of [join(data, "carrel.sqlite-wal"), ...names.map((name) => join(parts, name))]) {
      const torn = Buffer.alloc(1 + this.chance.below(4096), this.chance.happens(0.5) ? 0 : 0xa5);
      if (existsSync(file)) await appendFile(file, torn);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#server?.stop("SIGKILL"), this.#replica?.stop("SIGKILL")]);
    await this.#line.close();
  }

  /** Repeats a call to the replica with the same key until it is answered. */
  async call(method: string, path: string, body?: unknown, type?: string): Promise<Answer> {
    const headers: Record<string, string> = { "idempotency-key": randomUUID() };
    if (type !== undefined) headers["content-type"] = type;
    let answer: Answer | undefined;
    // A start may take long on a busy machine, and the next kill may come before the answer.
    await until(
      async () => {
        const client = new HttpClient(this.replicaUrl, this.replicaToken);
        // An error means that the process was killed; it is started again.
        answer = await client.call(method, path, body, { headers }).catch(() => undefined);
        return answer !== undefined && answer.status < 500 && answer.status !== 409 && answer.status !== 401;
      },
      `${method} ${path} is answered`,
      600_000,
    );
    return answer as Answer;
  }
}

/** Creates and publishes a record with files. Each step is acknowledged before the next begins. */
async function story(pair: Pair, files: Record<string, Buffer>): Promise<string> {
  const created = await pair.call("POST", "/api/records", { metadata });
  expect(created.status).toBe(201);
  const path = `/api/records/${created.body.id}/draft`;
  const keys = Object.keys(files);
  expect(
    (
      await pair.call(
        "POST",
        `${path}/files`,
        keys.map((key) => ({ key })),
      )
    ).status,
  ).toBe(201);
  for (const [key, bytes] of Object.entries(files)) {
    const put = await pair.call("PUT", `${path}/files/${key}/content`, bytes, "application/octet-stream");
    expect(put.status, put.text).toBe(200);
    const committed = await pair.call("POST", `${path}/files/${key}/commit`);
    expect(committed.status, committed.text).toBe(200);
  }
  expect((await pair.call("PUT", path, { metadata: { ...metadata, version: "2" } })).status).toBe(200);
  const published = await pair.call("POST", `${path}/actions/publish`);
  expect(published.status, published.text).toBe(202);
  return created.body.id;
}

async function published(pair: Pair, id: string): Promise<Answer> {
  const onServer = new HttpClient(pair.serverUrl, pair.token);
  const record = () => onServer.get(`/api/records/${id}`);
  await until(async () => (await record().catch(() => undefined))?.status === 200, `the record ${id} is published`);
  return record();
}

describe("kill -9 of replica or server at random moments (hosts-and-sync 4)", () => {
  let pair: Pair | undefined;

  afterEach(async () => {
    await pair?.stop();
    if (pair) await rm(pair.folder, { recursive: true, force: true });
  });

  test(
    `${kills} moments from a seed, half of them with torn files: each operation takes effect exactly once`,
    async () => {
      pair = new Pair(seed, await mkdtemp(join(tmpdir(), "carrel-kill-")));
      await pair.start();
      const files = Object.fromEntries([1, 2, 3].map((n) => [`part-${n}.bin`, Buffer.alloc(200_000 * n, n)]));
      const ids: string[] = [];
      while (pair.killed < kills) {
        let isFinished = false;
        const finished = story(pair, files).finally(() => {
          isFinished = true;
        });
        // An error is thrown by the `await` below, not while a process is being started.
        finished.catch(() => undefined);
        for (let strikes = 0; strikes < killsPerStory && !isFinished && pair.killed < kills; strikes++) {
          await new Promise((resolve) => setTimeout(resolve, pair?.chance.below(250)));
          await pair.strike();
        }
        ids.push(await finished);
      }
      for (const id of ids) {
        const { body } = await published(pair, id);
        expect(body.metadata).toMatchObject({ title: metadata.title, version: "2" });
        const listed = Object.values(body.files.entries as Record<string, { key: string; checksum: string }>);
        const checksums = Object.fromEntries(listed.map(({ key, checksum }) => [key, checksum]));
        expect(checksums).toEqual(
          Object.fromEntries(Object.entries(files).map(([key, bytes]) => [key, `md5:${md5(bytes)}`])),
        );
      }
      const all = await new HttpClient(pair.serverUrl, pair.token).get("/api/user/records?size=10000");
      const found: string[] = all.body.hits.hits.map((hit: { id: string }) => hit.id);
      expect(found.sort()).toEqual([...ids].sort());
    },
    kills * 30_000,
  );
});
