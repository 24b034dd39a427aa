import { type BenchServer, startBenchServer } from "../support/bench-server.ts";
import { givenDraft, must } from "../support/files.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { cpuSecondsOf } from "./processor-time.ts";

const sockets = 1000;
const idleSeconds = 10;

interface Idle {
  memoryMb: number;
  cpuSeconds: number;
}

async function openSocket({ url, client }: BenchServer, id: string): Promise<WebSocket> {
  const { ticket } = must(await client.post("/api/sync/ticket"), 201).body;
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${ticket}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return socket;
}

/** Idle sockets of one document. */
async function measure(): Promise<Idle> {
  const server = await startBenchServer();
  const open: WebSocket[] = [];
  try {
    const id = await givenDraft(server.client);
    open.push(await openSocket(server, id));
    const before = await server.memoryMb();
    while (open.length < sockets) open.push(await openSocket(server, id));
    const memoryMb = (await server.memoryMb()) - before;
    const used = await cpuSecondsOf(server.pid);
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
    return { memoryMb, cpuSeconds: (await cpuSecondsOf(server.pid)) - used };
  } finally {
    for (const socket of open) socket.close();
    await server.close();
  }
}

let idle: Promise<Idle> | undefined;

async function measured(figure: keyof Idle, allowed: number, unit: string): Promise<Measured> {
  idle ??= measure();
  return { ours: (await idle)[figure], reference: allowed, unit, against: `${unit} allowed` };
}

const what = `${sockets.toLocaleString("en")} idle sockets`;

export const bench: BenchCase[] = [
  { name: `${what}, memory`, reach: "<= 1", run: () => measured("memoryMb", 80, "MB") },
  { name: `${what}, processor in ${idleSeconds} s`, reach: "<= 1", run: () => measured("cpuSeconds", 0.5, "s") },
];
