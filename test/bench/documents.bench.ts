import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { compact } from "../../shared/documents/compaction.ts";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { encodeChange, repeatChanges } from "../../shared/documents/merge.ts";
import { repository } from "../support/run.ts";
import { type BenchCase, byTurns } from "./bench-case.ts";

const draft = canonical({
  files: { enabled: false },
  metadata: {
    title: "A dataset about deep sea cores",
    resource_type: { id: "dataset" },
    publication_date: "2026-11-21",
    description: `<p>${"Words of a description that goes on. ".repeat(50)}</p>`,
    subjects: Array.from({ length: 10 }, (_, i) => ({ subject: `subject ${i}` })),
    creators: Array.from({ length: 8 }, (_, i) => ({
      person_or_org: { type: "personal", family_name: `Family${i}`, given_name: `Given${i}` },
      affiliations: [{ name: "University" }],
    })),
  },
});

/** 10,000 edits by five users, in sessions of 100 edits with a client id each. */
function afterManyEdits(): Uint8Array {
  let state = genesis(draft);
  for (let i = 0; i < 10_000; i++) {
    const metadata = { ...draft.metadata, publisher: `Publisher ${i}`, version: `${i % 7}` };
    const session = 1_000_000 + (i % 5) * 1000 + Math.floor(i / 500);
    state = encodeChange(state, canonical({ ...draft, metadata }), session).state;
    if (i % 1000 === 999) state = compact(state) ?? state;
  }
  return state;
}

const growth: BenchCase = {
  name: "Document after 10,000 edits by 5 people",
  reach: "<= 5",
  run: async () => ({
    ours: afterManyEdits().length,
    reference: JSON.stringify(draft).length,
    unit: "bytes",
    against: "its JSON",
  }),
};

const renamed = (people: number, name: string) =>
  canonical({
    metadata: {
      creators: Array.from({ length: people }, (_, i) => ({
        person_or_org: { type: "personal", family_name: `${name} ${i}` },
        affiliations: [{ name: "University" }],
      })),
    },
  });

/** Milliseconds to repeat edits on 1,000 people of a list, all of whom are renamed, in a new document. */
async function repeatMs(people: number): Promise<number> {
  const [state, next] = [genesis(renamed(people, "Old")), renamed(people, "Another name")];
  const { changes, orders } = encodeChange(state, next, 10);
  const started = performance.now();
  repeatChanges(state, changes, orders, 11);
  return ((performance.now() - started) * 1000) / people;
}

const renaming: BenchCase = {
  name: "Renaming all people of a draft, in a document started anew: 8,000 beside 1,000",
  reach: "<= 2",
  run: async () => ({
    ...(await byTurns(
      () => repeatMs(8000),
      () => repeatMs(1000),
      5,
    )),
    unit: "ms for 1,000",
    against: "1,000 people",
  }),
};

const documents = 1000;

async function withServer<T>(work: (server: { url: string; pid: number; token: string }) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), "carrel-bench-"));
  const cli = (...args: string[]): string[] => [join(repository, "main/cli.ts"), ...args, "--data", data];
  const person = ["users", "create", "--username", "ada", "--email", "ada@example.org", "--token", "bench"];
  const { token } = JSON.parse(execFileSync(process.execPath, cli(...person), { encoding: "utf8" }));
  const server: ChildProcess = spawn(process.execPath, cli("server", "--port", "0"), {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    if (server.stdout === null) throw new Error("the server has no output");
    const [line] = await once(server.stdout, "data");
    const { url, pid } = JSON.parse(String(line));
    return await work({ url, pid, token });
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(data, { recursive: true });
  }
}

/** Resident memory of a process in MB. */
const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

async function memoryOfOpenDocuments(): Promise<number> {
  return withServer(async ({ url, pid, token }) => {
    const call = async (path: string, body?: unknown): Promise<Record<string, string>> => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { method: "POST", headers, ...sent });
      return (await answer.json()) as Record<string, string>;
    };
    const ids: string[] = [];
    for (let i = 0; i < documents; i++) ids.push((await call("/api/records", draft)).id ?? "");
    const before = residentMb(pid);
    const sockets: WebSocket[] = [];
    for (const id of ids) {
      const { ticket } = await call("/api/sync/ticket");
      const socket = new WebSocket(`${url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${ticket}`);
      await once(socket, "open");
      sockets.push(socket);
    }
    const used = residentMb(pid) - before;
    for (const socket of sockets) socket.terminate();
    return used;
  });
}

const memory: BenchCase = {
  name: "Memory of the server for 1,000 open documents",
  reach: "<= 1",
  run: async () => ({ ours: await memoryOfOpenDocuments(), reference: 100, unit: "MB", against: "100 MB" }),
};

export const bench: BenchCase[] = process.platform === "linux" ? [growth, renaming, memory] : [growth, renaming];
