import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverAuthenticate } from "../../server/authenticate.ts";
import { authorityHost } from "../../server/authority-host.ts";
import { createApi, createServices } from "../../shared/api.ts";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { committedHints } from "../../shared/kernel/committed.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { listen } from "../../shared/kernel/listen.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { localPorts } from "../../shared/wiring/local-ports.ts";
import { project } from "../../shared/wiring/projection.ts";
import { openUnchecked } from "./multiply-records.ts";

/** Milliseconds until the last byte of the answer, and the part that the search took. */
export interface Taken {
  pageMs: number;
  searchMs: number;
}

export interface PageServer {
  /** Calls `GET /api/records`. @throws Error unless the answer is 200. */
  ask(parameters: Record<string, string>): Promise<Taken>;
  close(): Promise<void>;
}

/**
 * The API of a server over a database. It starts no background work: nothing is claimed, checked or indexed.
 */
export async function servePages(file: string): Promise<PageServer> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const db = openUnchecked(file);
  let app: RequestListener = (_req, res) => res.writeHead(503).end();
  const listening = await listen((req, res) => app(req, res), "127.0.0.1", 0);
  const url = `http://127.0.0.1:${listening.port}`;
  const environment = machineEnvironment();
  const blobs = new DiskBlobStore(folder);
  const host = authorityHost({
    ...{ db, blobs, hints: committedHints(), baseUrl: url, settings: defaultSettings, environment, project },
    onUnrecorded: () => undefined,
  });
  const services = createServices(host, localPorts(`${folder}/pictures`));
  const { recordSearch } = services;
  await recordSearch.prepare(db);
  let searchMs = 0;
  const search: typeof recordSearch.search = async (...given) => {
    const start = performance.now();
    try {
      return await recordSearch.search(...given);
    } finally {
      searchMs = performance.now() - start;
    }
  };
  app = createApi({
    host,
    services: { ...services, recordSearch: { ...recordSearch, search } },
    authenticate: serverAuthenticate({ host, ...services }),
    log: createLog("error"),
    version: "0",
    secret: new Uint8Array(32),
    isHealthy: async () => true,
  });
  const agent = new Agent({ keepAlive: true });
  return {
    async ask(parameters) {
      const start = performance.now();
      await read(`${url}/api/records?${new URLSearchParams(parameters)}`, agent);
      return { pageMs: performance.now() - start, searchMs };
    },
    async close() {
      agent.destroy();
      await listening.close(1000);
      await recordSearch.close();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function read(address: string, agent: Agent): Promise<void> {
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent, headers: { accept: "application/json" } }, resolve).once("error", reject);
  });
  for await (const _ of res);
  if (res.statusCode !== 200) throw new Error(`${address} was answered ${res.statusCode}`);
}
