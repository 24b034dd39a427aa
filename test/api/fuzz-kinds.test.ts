import { monitorEventLoopDelay } from "node:perf_hooks";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { type FuzzKind, fuzzKinds } from "../support/fuzz-kinds.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, withoutFiles } from "../support/records.ts";

// Set by `npm run fuzz` for long runs (test/README.md).
const inputs = Number(process.env.FUZZ_INPUTS ?? 150);
const seed = Number(process.env.FUZZ_SEED ?? 20261123);
const minutes = Number(process.env.FUZZ_MINUTES ?? 60);
const selected = process.env.FUZZ_KIND?.split(",") ?? Object.keys(fuzzKinds);
const batch = 300;
const lanes = 4;

/** Objects of another user that the fuzzed caller may not change. */
async function victimOf(api: Api) {
  const ada = await api.as("ada");
  const restricted = { ...withoutFiles, access: { record: "restricted", files: "restricted" } };
  const [draft, record] = [await givenDraft(ada, restricted), await givenRecord(ada, restricted)];
  await (await api.as("admin")).post("/api/groups", { name: "crew", description: "of ada" });
  const paths = [
    ...[`/api/records/${draft}/draft`, `/api/records/${record}`, `/api/records/${record}/access/grants`],
    ...[
      `/api/records/${record}/access/links`,
      `/api/users/${await api.idOf("ada")}`,
      "/api/tokens",
      "/api/user/records",
    ],
  ];
  /** The state of these objects, to compare before and after. */
  const seen = async () => {
    const answers = await Promise.all(paths.map((path) => ada.get(path)));
    const { db } = api.server.host;
    const people = await db.selectFrom("user").selectAll().orderBy("id").execute();
    const groups = await db.selectFrom("group").selectAll().orderBy("name").execute();
    // Reads change counts later: views after half a minute, the last use of a token once a minute.
    const ofReading = new Set(["stats", "last_used_at"]);
    const withoutReading = (text: string): unknown =>
      JSON.parse(text, (key, value) => (ofReading.has(key) ? undefined : value));
    return { answers: answers.map(({ status, text }) => ({ status, body: withoutReading(text) })), people, groups };
  };
  return { ids: [draft, record, await api.idOf("ada"), await api.idOf("admin"), "crew", "superuser-access"], seen };
}

/** Plays inputs concurrently. @returns the faults, with their inputs. */
async function play({ inputs: arbitrary, play: one }: FuzzKind, count: number, from: number): Promise<string[]> {
  const queue = fc.sample(arbitrary, { numRuns: count, seed: from });
  const faults: string[] = [];
  const lane = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const fault = await one(next).catch((error: unknown) => String(error));
      if (fault !== undefined) faults.push(`${fault}\n  ${JSON.stringify(next).slice(0, 1000)}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return faults;
}

const statusOfCall = async (client: HttpClient): Promise<number> => (await client.get("/api/me")).status;

test.each(selected)(
  `${inputs} inputs of the kind %s: no 5xx, no crash, no change that the caller had no right to (security 6)`,
  { timeout: Math.max(180_000, minutes * 60_000 + 120_000) },
  async (name) => {
    const api = await startApi();
    const victim = await victimOf(api);
    const eve = await api.as("eve");
    const known = { victim: victim.ids, own: [await givenDraft(eve), await givenRecord(eve), await api.idOf("eve")] };
    const kind = await fuzzKinds[name]?.(api, eve, known);
    if (!kind) throw new Error(`there is no kind '${name}': ${Object.keys(fuzzKinds).join(", ")}`);
    const before = await victim.seen();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const end = performance.now() + minutes * 60_000;
    let played = 0;
    for (; played < inputs && performance.now() < end; played += batch) {
      expect(await play(kind, Math.min(batch, inputs - played), seed + played)).toEqual([]);
      expect(await victim.seen()).toEqual(before);
      expect(await statusOfCall(eve)).toBe(200);
    }
    const longest = (delay.max / 1e6).toFixed(0);
    // Only a hint, because client and server share this thread. `bench/turns` measures it.
    process.stderr.write(
      `${name}: ${Math.min(played, inputs)} inputs, longest delay of the event loop ${longest} ms\n`,
    );
  },
);
