import { get } from "node:http";
import { createPersonIn, startBenchServer } from "../support/bench-server.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { cpuSecondsOf } from "./processor-time.ts";

const polls = 1000;
const commits = 200;
const rounds = 3;

/** Polls of a user that wait for changes, each on its own connection. @returns how many were answered so far. */
async function waitingPolls(url: string, token: string): Promise<{ answered(): number; close(): void }> {
  const headers = { authorization: `Bearer ${token}` };
  const first = await fetch(`${url}/api/sync/changes`, { headers });
  const { cursor } = (await first.json()) as { cursor: string };
  let answered = 0;
  const requests = Array.from({ length: polls }, () => {
    const request = get(`${url}/api/sync/changes?cursor=${cursor}&wait=30`, { headers, agent: false }, (response) => {
      answered += 1;
      response.resume();
    });
    // Polls that still wait at the end are cut.
    return request.on("error", () => {});
  });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return {
    answered: () => answered,
    close() {
      for (const request of requests) request.destroy();
    },
  };
}

async function commit(client: HttpClient, path: string): Promise<void> {
  for (let n = 0; n < commits; n++) must(await client.put(path, { metadata: { title: `Title ${n}` } }), 200);
}

/** Processor time of the server for the same commits, with and without waiting polls of other users. */
async function measure(): Promise<Measured> {
  let watcher = { token: "" };
  const server = await startBenchServer(async (data) => {
    watcher = await createPersonIn(data, "bob");
  });
  try {
    const { id } = must(await server.client.post("/api/records", { files: { enabled: false } }), 201).body;
    const path = `/api/records/${id}/draft`;
    await commit(server.client, path);
    const used = { ours: 0, reference: 0 };
    for (let round = 0; round < rounds; round++) {
      let begun = await cpuSecondsOf(server.pid);
      await commit(server.client, path);
      used.reference += (await cpuSecondsOf(server.pid)) - begun;
      const waiting = await waitingPolls(server.url, watcher.token);
      begun = await cpuSecondsOf(server.pid);
      await commit(server.client, path);
      used.ours += (await cpuSecondsOf(server.pid)) - begun;
      const woken = waiting.answered();
      waiting.close();
      if (woken > 0) throw new Error(`${woken} polls were answered that nothing concerned`);
    }
    const perCommit = 1000 / (rounds * commits);
    return {
      ours: used.ours * perCommit,
      reference: used.reference * perCommit,
      unit: "ms of processor a commit",
      against: "nobody waiting",
    };
  } finally {
    await server.close();
  }
}

export const bench: BenchCase = {
  name: `a commit while ${polls.toLocaleString("en")} replicas of others wait`,
  reach: "<= 1.5",
  run: measure,
};
