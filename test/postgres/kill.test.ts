import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../server/postgres/open-postgres.ts";
import { startPostgres, type TestDatabase } from "../support/engines/postgres.ts";
import { PostgresServers } from "../support/engines/postgres-servers.ts";
import type { Answer } from "../support/http-client.ts";
import { metadata, withoutFiles } from "../support/records.ts";
import { until } from "../support/until.ts";
import { Chance } from "../sync/simulator/chance.ts";

/** CARREL_KILLS=200 for a long run, CARREL_SEED for another one. */
const strikes = Number(process.env.CARREL_KILLS ?? 6);
const seed = Number(process.env.CARREL_SEED ?? 20261125);
const writers = 3;
const writesBetween = 4;

const postgres = await startPostgres({ isDurable: true });
afterAll(() => postgres?.stop());

describe.skipIf(!postgres?.restart)("what is killed comes back (scale 4, 10.5)", () => {
  let servers: PostgresServers;
  let database: TestDatabase;
  let token: string;
  beforeAll(async () => {
    if (!postgres) return;
    database = await postgres.freshDatabase();
    servers = await PostgresServers.start(database);
    token = await servers.person("ada");
  });
  afterAll(() => servers?.close());

  const kinds = {
    async server(chance: Chance) {
      const at = chance.below(2);
      await servers.kill(at);
      await servers.begin(at);
    },
    database: async () => postgres?.restart?.(),
    async connections() {
      const client = new Client({ connectionString: database.address });
      client.on("error", () => undefined);
      await client.connect();
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
      await client.end();
    },
  };

  test(`nothing acknowledged is lost, nothing doubled, by ${strikes} strikes; what fails is 503 with Retry-After`, {
    timeout: 60_000 + strikes * 20_000,
  }, async () => {
    const chance = new Chance(seed);
    const faults: string[] = [];
    const titles = new Map<string, string>();
    const refused = { away: 0, cut: 0 };
    let isOver = false;
    let calls = 0;

    /** Repeats a call at one process after the other until one acknowledges it. */
    async function acknowledged(call: (at: number) => Promise<Answer>, statuses: readonly number[]): Promise<Answer> {
      for (;;) {
        const answer = await call(calls++ % 2).catch(() => undefined);
        if (answer && statuses.includes(answer.status)) return answer;
        if (!answer) refused.cut += 1;
        else if (answer.status === 503) refused.away += 1;
        // The same call is still running at the process that was cut off.
        else if (answer.status !== 409) faults.push(`${answer.status} ${answer.text}`);
        if (answer?.status === 503 && !answer.headers.has("retry-after"))
          faults.push(`without Retry-After: ${answer.text}`);
        if (faults.length > 5) return answer ?? expect.fail("cut off");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    let written = 0;
    async function write(name: string): Promise<void> {
      for (let number = 0; !isOver && faults.length === 0; number++) {
        const key = `${name}-${number}`;
        const body = { ...withoutFiles, metadata: { ...metadata, title: key } };
        const headers = { "idempotency-key": key };
        const made = await acknowledged(
          (at) => servers.client(at, token).post("/api/records", body, { headers }),
          [201],
        );
        const later = { ...body, metadata: { ...metadata, title: `${key} later` } };
        const path = `/api/records/${made.body.id}/draft`;
        await acknowledged((at) => servers.client(at, token).put(path, later), [200]);
        titles.set(made.body.id, `${key} later`);
        written += 1;
      }
    }

    const writing = Promise.all(Array.from({ length: writers }, (_, at) => write(`writer-${at}`)));
    for (let strike = 0; strike < strikes && faults.length === 0; strike++) {
      const before = written;
      const all = ["server", "database", "connections"] as const;
      // Each kind at least once.
      await kinds[all[strike] ?? all[chance.below(all.length)] ?? "server"](chance);
      await until(() => written >= before + writesBetween || faults.length > 0, "writing goes on by itself", 120_000);
    }
    isOver = true;
    await writing;
    expect(faults).toEqual([]);

    const { db, close } = await openPostgres(database.address);
    const rows = await db.selectFrom("draft").select(["id", "metadata"]).execute();
    await close();
    const kept = new Map(rows.map((row) => [row.id, JSON.parse(row.metadata).title as string]));
    expect(new Map([...kept].sort())).toEqual(new Map([...titles].sort()));
    expect(new Set(kept.values()).size).toBe(kept.size);
    expect(refused.away + refused.cut).toBeGreaterThan(0);
    process.stdout.write(
      `${written} writes, ${strikes} strikes: ${refused.away} answers 503, ${refused.cut} calls cut off\n`,
    );
  });

  test("while the database is away calls are answered 503 with Retry-After, and then as before", async () => {
    await until(async () => (await servers.client(0, token).get("/api/user/records")).status === 200);
    const client = servers.client(0, token);
    const restarting = postgres?.restart?.();
    let away: Answer | undefined;
    await until(async () => {
      const answer = await client.get("/api/user/records");
      if (answer.status !== 200) away = answer;
      return away !== undefined;
    });
    expect([away?.status, away?.headers.get("retry-after")]).toEqual([503, "2"]);
    await restarting;
    await until(async () => (await client.get("/api/user/records")).status === 200, "it answers again by itself");
  });
});
