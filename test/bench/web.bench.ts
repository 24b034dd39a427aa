import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import express from "express";
import { sql } from "kysely";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { addFile } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { measureThroughput } from "../support/load.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";
import { repository } from "../support/run.ts";
import { type BenchCase, byTurns, type Measured } from "./bench-case.ts";

// The numbers of design/web.md, section 13, that a process can measure alone. `npm run lighthouse` has those of a browser.

const kibibyte = 1024;
const html = { accept: "text/html" };

interface Site {
  url: string;
  client: HttpClient;
  server: Awaited<ReturnType<typeof openServer>>;
}

async function withSite<R>(work: (site: Site) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const server = await openServer({
    ...{ dataDir: join(folder, "server"), hostName: "127.0.0.1", port: 0, environment: machineEnvironment() },
    settings: settingsSchema.parse({ site: { contact: "library@example.org" } }),
    log: createLog("fatal"),
  });
  try {
    const { users, tokens } = server.services;
    const id = await users.create(newUser.parse({ username: "ada", email: "ada@example.org" }));
    const grant = { userId: id, byPassword: false, defaultScopes: ["read", "write"] as const };
    const { secret } = await tokens.issue(grant, { name: "bench" });
    return await work({ url: server.url, client: new HttpClient(server.url, secret), server });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The record of the design: 12 people, 20 files. @returns its id. */
async function givenPaper(client: HttpClient): Promise<string> {
  const creators = Array.from({ length: 12 }, (_one, at) => ({
    person_or_org: { type: "personal", family_name: `Author${at}`, given_name: "Ann" },
    affiliations: [{ name: `Institute ${at % 3}` }],
  }));
  const description = `<p>${"Grain sizes of twelve gravity cores. ".repeat(20)}</p>`;
  const id = await givenDraft(client, { metadata: { ...metadata, creators, description } });
  for (let at = 0; at < 20; at++) await addFile(client, id, `run-${at}.log`, `run ${at}`);
  await publish(client, id);
  return id;
}

async function callsPerSecond(address: string, headers: Record<string, string>): Promise<number> {
  const { perSecond, failures } = await measureThroughput(address, { headers, seconds: 2 });
  if (failures > 0) throw new Error(`${failures} calls failed.`);
  return perSecond;
}

/** Calls answered in a second of this process, which is the server; what else runs on the machine does not count. */
async function perProcessorSecond(address: string, headers: Record<string, string>): Promise<number> {
  const before = process.cpuUsage();
  const { answers, failures } = await measureThroughput(address, { headers, seconds: 2 });
  if (failures > 0) throw new Error(`${failures} calls failed.`);
  const { user, system } = process.cpuUsage(before);
  return (answers * 1_000_000) / (user + system);
}

/** Milliseconds of the processor for a call. */
const processorMs = async (address: string, headers: Record<string, string>): Promise<number> =>
  1000 / (await perProcessorSecond(address, headers));

/** Milliseconds of calls one after the other, sorted. */
async function latencies(count: number, call: (at: number) => Promise<{ status: number }>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    const { status } = await call(at);
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`a call answered ${status}.`);
  }
  return times.sort((a, b) => a - b);
}
const share = (times: readonly number[], part: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

const kept: BenchCase = {
  name: "kept landing page, packed",
  reach: ">= 0.8",
  run: () =>
    withSite(async ({ url, client }) => {
      const address = `${url}/records/${await givenPaper(client)}`;
      const headers = { Accept: "text/html", "Accept-Encoding": "gzip" };
      const { text } = await new HttpClient(url).get(new URL(address).pathname, { headers: html });
      const bytes = gzipSync(text);
      const app = express();
      app.disable("x-powered-by");
      app.disable("etag");
      app.get("/record", (_req, res) => {
        res.setHeader("Content-Encoding", "gzip");
        res.type("html").send(bytes);
      });
      const bare = createServer(app);
      await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
      try {
        const port = (bare.address() as AddressInfo).port;
        const measured = await byTurns(
          () => callsPerSecond(address, headers),
          () => callsPerSecond(`http://127.0.0.1:${port}/record`, headers),
        );
        return { ...measured, unit: "calls/s", against: "bare Express 5, same bytes" };
      } finally {
        bare.closeAllConnections();
        await new Promise((resolve) => bare.close(resolve));
      }
    }),
};

const notKept: BenchCase = {
  name: "landing page that is not kept",
  reach: "<= 1",
  run: () =>
    withSite(async ({ url, client }) => {
      const address = `${url}/records/${await givenPaper(client)}?n=1`;
      await processorMs(address, { Accept: "text/html" });
      return { ours: await processorMs(address, { Accept: "text/html" }), reference: 3, unit: "ms", against: "3 ms" };
    }),
};

const searching: BenchCase = {
  name: "search page",
  reach: "<= 1",
  run: () =>
    withSite(async ({ url, client }) => {
      for (let at = 0; at < 25; at++)
        await publish(client, await givenDraft(client, { metadata, files: { enabled: false } }));
      const measured = await byTurns(
        () => processorMs(`${url}/search?q=romans&n=1`, { Accept: "text/html" }),
        async () => (await processorMs(`${url}/api/records?q=romans&size=20`, { Accept: "application/json" })) + 2,
      );
      return { ...measured, unit: "ms", against: "the search of the API, and 2 ms" };
    }),
};

const size = (name: string, most: number, measure: (text: string) => number): BenchCase => ({
  name,
  reach: "<= 1",
  run: () =>
    withSite(async ({ url, client }) => {
      const path = `/records/${await givenPaper(client)}`;
      const { text } = await new HttpClient(url).get(path, { headers: html });
      return { ours: measure(text) / kibibyte, reference: most, unit: "KiB", against: `${most} KiB` };
    }),
});

const script: BenchCase = {
  name: "script of the public pages, packed",
  reach: "<= 1",
  async run(): Promise<Measured> {
    const folder = join(repository, "out/renderer/assets");
    const name = (await readdir(folder)).find((one) => /^enhance-[\w-]+\.js$/.test(one));
    if (name === undefined) throw new Error("The pages are not built: npm run build.");
    const ours = gzipSync(await readFile(join(folder, name))).length / kibibyte;
    return { ours, reference: 5, unit: "KiB", against: "5 KiB" };
  },
};

const rows = 1_000_000;
const pages = 40;

const deepList: BenchCase = {
  name: "OAI-PMH: page of 1,000 at any depth of 1,000,000, p95",
  reach: "<= 1",
  run: () =>
    withSite(async ({ url, server }) => {
      const { db } = server.host;
      // Filled by one statement: items of a library of this size. A list of identifiers reads no record.
      const start = Date.UTC(2020, 0, 1) * 1000;
      await sql`insert into harvest_item (record_id, changed, state, sets, revision, is_latest)
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1})
        select printf('%05d-%05d', i / 100000, i % 100000), ${start} + i * 60000000, 'live', 'latest', 1, 1 from n`.execute(
        db,
      );
      const stranger = new HttpClient(url);
      const first = "/oai2d?verb=ListIdentifiers&metadataPrefix=oai_dc";
      const times: number[] = [];
      for (const year of ["2020-01-01", "2020-12-01", "2021-10-01"]) {
        let path = `${first}&from=${year}`;
        for (let at = 0; at < pages; at++) {
          const started = performance.now();
          const { status, text } = await stranger.get(path);
          times.push(performance.now() - started);
          const [, token] = /<resumptionToken[^>]*>([^<]+)</.exec(text) ?? [];
          if (status !== 200 || token === undefined) throw new Error(`no next page: ${status} ${text.slice(0, 300)}`);
          path = `/oai2d?verb=ListIdentifiers&resumptionToken=${encodeURIComponent(token)}`;
        }
      }
      times.sort((a, b) => a - b);
      return { ours: share(times, 0.95), reference: 100, unit: "ms", against: "100 ms" };
    }),
};

const harvested: BenchCase = {
  name: "OAI-PMH: records in oai_dc",
  reach: ">= 1",
  run: () =>
    withSite(async ({ url, client }) => {
      for (let at = 0; at < 100; at++)
        await publish(client, await givenDraft(client, { metadata, files: { enabled: false } }));
      const stranger = new HttpClient(url);
      const call = () => stranger.get("/oai2d?verb=ListRecords&metadataPrefix=oai_dc");
      await latencies(10, call);
      const each = share(await latencies(40, call), 0.5);
      return { ours: 100_000 / each, reference: 2000, unit: "records/s", against: "2,000 records/s" };
    }),
};

export const bench: BenchCase[] = [
  kept,
  notKept,
  searching,
  size("landing page with style", 30, (text) => Buffer.byteLength(text)),
  size("landing page with style, packed", 8, (text) => gzipSync(text).length),
  script,
  deepList,
  harvested,
];
