import { sql } from "kysely";
import { expect, test } from "vitest";
import { must } from "../support/files.ts";
import { replicaBehindProxy, stateOf, synced } from "../support/two-replicas.ts";

test("the disk is full while a first copy is indexed: the status says so; with free space, it continues (hosts-and-sync 5, 7)", async () => {
  const { client, replica } = await replicaBehindProxy();
  const { db } = replica.host;
  const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(" ");
  must(await client.post("/api/records", { metadata: { title: "Long", description: words } }), 201);
  await synced(client);
  for (const table of ["search_term", "search_text", "search_doc"])
    await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`vacuum`.execute(db);
  await sql`pragma max_page_count = 1`.execute(db);
  const backlog = replica.engine.indexBacklog;
  backlog.markPending();
  backlog.notify();
  const status = async () => (await client.get("/api/sync/status")).body;
  await expect
    .poll(status)
    .toMatchObject({ asks: "space", last_error: expect.stringMatching(/^The disk of this computer is full/) });

  await sql`pragma max_page_count = 1000000`.execute(db);
  backlog.notify();
  await expect.poll(() => stateOf(client)).toBe("up_to_date");
  const { asks, last_error: error } = await status();
  expect([asks, error]).toEqual([undefined, null]);
  expect((await client.get("/api/user/records?q=word19999")).body.hits.total).toBe(1);
});
