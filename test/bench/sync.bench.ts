import type { RunningReplica } from "../../main/replica/open-replica.ts";
import type { HttpClient } from "../support/http-client.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { giveRecords } from "./own-records.ts";
import { sent, withSyncWorld } from "./sync-world.ts";

/** CARREL_BENCH_RECORDS=2000 fills the server with fewer. */
const records = Number(process.env.CARREL_BENCH_RECORDS ?? 100_000);
const changes = 100;
/** How long a poll is held open. */
const pollMs = 8000;
const idlePolls = 2;

interface Seen {
  p50: number;
  p95: number;
  bytesAChange: number;
  bytesAPoll: number;
}

/** Milliseconds until a change on one replica is visible on the other, polled every two milliseconds. */
async function seenAfterMs(from: HttpClient, to: RunningReplica, path: string, version: string): Promise<number> {
  const id = path.split("/")[3] ?? "";
  const started = performance.now();
  await from.put(path, { metadata: { title: "A title", version } });
  for (;;) {
    const row = await to.host.db.selectFrom("draft").select("metadata").where("id", "=", id).executeTakeFirst();
    if (row && JSON.parse(row.metadata).version === version) return performance.now() - started;
    if (performance.now() - started > 10_000) throw new Error("a change was never seen");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Measures changes between two online replicas of one user, on a server full of others' records. */
const watch = (): Promise<Seen> =>
  withSyncWorld(async ({ server, seat }) => {
    await giveRecords(server.host.db, "somebody-else", records);
    const [here, there] = [await seat("here"), await seat("there")];
    const draft = await here.client.post("/api/records", { files: { enabled: false }, metadata: { title: "A title" } });
    const path = `/api/records/${draft.body.id}/draft`;
    await sent(here);
    await sent(there);
    await seenAfterMs(here.client, there.replica, path, "first");
    const passed = () => there.line.bytes.up + there.line.bytes.down;
    let before = passed();
    const times: number[] = [];
    for (let n = 0; n < changes; n++) times.push(await seenAfterMs(here.client, there.replica, path, String(n)));
    const bytesAChange = (passed() - before) / changes;
    times.sort((a, b) => a - b);
    // The poll after the last change is waiting: from here to the middle of a later one, only whole polls count.
    await new Promise((resolve) => setTimeout(resolve, pollMs / 2));
    before = passed();
    await new Promise((resolve) => setTimeout(resolve, idlePolls * pollMs));
    const at = (part: number) => times[Math.floor(changes * part)] ?? Number.NaN;
    return { p50: at(0.5), p95: at(0.95), bytesAChange, bytesAPoll: (passed() - before) / idlePolls };
  });

let seen: Promise<Seen> | undefined;

async function measured(figure: keyof Seen, allowed: number, unit: string): Promise<Measured> {
  seen ??= watch();
  return { ours: (await seen)[figure], reference: allowed, unit, against: `${unit} allowed` };
}

export const bench: BenchCase[] = [
  { name: "one change seen on another replica, p50", reach: "<= 1", run: () => measured("p50", 100, "ms") },
  { name: "one change seen on another replica, p95", reach: "<= 1", run: () => measured("p95", 400, "ms") },
  { name: "bytes of one change, headers included", reach: "<= 1", run: () => measured("bytesAChange", 2048, "B") },
  { name: "bytes of one idle poll, headers included", reach: "<= 1", run: () => measured("bytesAPoll", 300, "B") },
];
