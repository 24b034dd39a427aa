import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { oneProcessAtATime } from "../../server/job-lock.ts";
import { type OpenPostgres, openPostgres } from "../../server/postgres/open-postgres.ts";
import { startPostgres, type TestDatabase } from "../support/engines/postgres.ts";
import { PostgresServers } from "../support/engines/postgres-servers.ts";
import { fileOf, filesOf, must } from "../support/files.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { until } from "../support/until.ts";
import { sendPiece } from "../support/upload-pieces.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

/** Something that a client of one process awaits, and what the same user does at the other. */
interface Seen {
  what: string;
  /** @returns whether it was seen, once the listening has begun. */
  listen(here: HttpClient, draft: string): Promise<() => boolean>;
  act(there: HttpClient, draft: string): Promise<Answer>;
}

/** Listens to server-sent events until the test ends. */
async function eventsOf({ url, authorization }: HttpClient): Promise<() => string> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  let text = "";
  const follow = async () => {
    // A stream that the server ends is opened again, as windows do.
    while (!ended.signal.aborted) {
      const headers = { Authorization: authorization };
      const { body } = await fetch(`${url}/api/sync/events`, { headers, signal: ended.signal });
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    }
  };
  follow().catch(() => undefined);
  await until(() => text.includes(": carrel"));
  return () => text;
}

const save = (client: HttpClient, draft: string) =>
  client.put(`/api/records/${draft}/draft`, {
    ...withoutFiles,
    metadata: { ...metadata, title: randomBytes(4).toString("hex") },
  });

const seen: Seen[] = [
  {
    what: "a change of a draft, by the long poll of the feed",
    async listen(here) {
      const { cursor } = must(await here.get("/api/sync/changes"), 200).body;
      let isTold = false;
      void here.get(`/api/sync/changes?cursor=${cursor}&wait=30`).then(({ body }) => {
        isTold = body.changes.length > 0;
      });
      return () => isTold;
    },
    act: save,
  },
  {
    what: "a change of a draft, by the events of a window",
    async listen(here, draft) {
      const text = await eventsOf(here);
      return () => text().includes(`{"kind":"draft","id":"${draft}"}`);
    },
    act: save,
  },
  {
    what: "a note of the desk, which is in no feed",
    async listen(here) {
      const text = await eventsOf(here);
      return () => text().includes('"kind":"desk"');
    },
    act: (there) => there.put("/api/sync/desk/searches/a", { value: { name: "Sea" } }),
  },
  {
    what: "who has a draft open",
    async listen(here, draft) {
      const text = await eventsOf(here);
      must(await here.put(`/api/sync/presence/${draft}/here`, { field: null }), 204);
      return () => text().includes('"field":"metadata.title"');
    },
    act: (there, draft) => there.put(`/api/sync/presence/${draft}/there`, { field: "metadata.title" }),
  },
  {
    what: "an edit of an open document",
    async listen(here, draft) {
      const { ticket } = must(await here.post("/api/sync/ticket"), 200, 201).body;
      const socket = new WebSocket(
        `${here.url.replace("http", "ws")}/api/sync/documents/draft:${draft}?ticket=${ticket}`,
      );
      onTestFinished(() => socket.close());
      socket.binaryType = "arraybuffer";
      let frames = 0;
      socket.addEventListener("message", ({ data }) => {
        // The second byte says whether it is an update.
        if (new Uint8Array(data)[1] === 2) frames += 1;
      });
      await new Promise((resolve) => socket.addEventListener("open", resolve));
      return () => frames > 0;
    },
    act: save,
  },
];

describe.skipIf(!postgres)("two processes on PostgreSQL (scale 2, 5)", () => {
  let servers: PostgresServers;
  let database: TestDatabase;
  let clients: [HttpClient, HttpClient];
  let token: string;
  beforeAll(async () => {
    if (!postgres) return;
    database = await postgres.freshDatabase();
    servers = await PostgresServers.start(database);
    token = await servers.person("ada");
    clients = [servers.client(0, token), servers.client(1, token)];
  });
  afterAll(() => servers?.close());

  test.for(seen)("each sees of the other: $what", async ({ listen, act }) => {
    for (const [here, there] of [clients, [clients[1], clients[0]]] as const) {
      const draft = await givenDraft(there);
      const isSeen = await listen(here, draft);
      must(await act(there, draft), 200, 204);
      await until(isSeen, "it is seen at the other process", 20_000);
    }
  });

  test("without the hints of NOTIFY all but the desk is seen by the poll", async () => {
    const { db, close } = await openPostgres(database.address);
    const draft = await givenDraft(clients[1]);
    const isSeen = await seen[0]?.listen(clients[0], draft);
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'carrel link'`.execute(db);
    await close();
    await save(clients[1], draft);
    await until(() => isSeen?.() === true, "the poll sees it", 20_000);
    expect(ended.rows).toHaveLength(2);
  });

  test("a record and a search answer what was written through the other process a moment ago", async () => {
    const [one, other] = clients;
    const id = await givenRecord(one);
    for (let round = 0; round < 4; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
      const title = `round ${round} ${randomBytes(4).toString("hex")}`;
      for (const client of clients) must(await client.get(`/api/records/${id}`), 200);
      must(await writer.post(`/api/records/${id}/draft`), 200, 201);
      must(await writer.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata: { ...metadata, title } }), 200);
      must(await writer.post(`/api/records/${id}/draft/actions/publish`), 202);
      expect((await reader.get(`/api/records/${id}`)).body.metadata.title).toBe(title);
      expect((await reader.get(`/api/records?q=${encodeURIComponent(`"${title}"`)}`)).body.hits.total).toBe(1);
    }
  });

  test("an upload goes on at the other process with each piece (records 6.4.1)", async () => {
    const bytes = randomBytes(1_000_000);
    const id = await givenDraft(clients[0], { metadata });
    must(await clients[0].post(filesOf(id), [{ key: "a" }]), 201);
    const path = `${fileOf(id, "a")}/content`;
    const pieces = 8;
    const piece = bytes.length / pieces;
    must(
      await clients[0].putBytes(path, bytes.subarray(0, piece), { headers: { "upload-complete": "?0" } }),
      200,
      201,
      204,
    );
    for (let at = 1; at < pieces; at++) {
      await sendPiece(clients[at % 2] ?? clients[0], path, bytes, { at, pieces });
    }
    must(await clients[1].post(`${fileOf(id, "a")}/commit`), 200);
    const md5 = (data: Uint8Array) => createHash("md5").update(data).digest("hex");
    for (const client of clients) expect(md5((await client.get(path)).bytes)).toBe(md5(bytes));
  });

  test("background work runs in one process at a time, and over time in each", async () => {
    const opened: OpenPostgres[] = [await openPostgres(database.address), await openPostgres(database.address)];
    let running = 0;
    let most = 0;
    const done = [0, 0];
    const jobs = opened.map(({ db }, at) => {
      const host = { db, now: () => Date.now() * 1000, newUuid: () => `${at}`, abilities: { sharesDatabase: true } };
      return oneProcessAtATime(host as never, "proof", async () => {
        running += 1;
        most = Math.max(most, running);
        await sql`select pg_sleep(0.01)`.execute(db);
        running -= 1;
        done[at] = (done[at] ?? 0) + 1;
      });
    });
    const { signal } = new AbortController();
    await until(async () => {
      await Promise.all(jobs.map((job) => job(signal)));
      return done.every((times) => times > 3);
    });
    expect(most).toBe(1);
    for (const { close } of opened) await close();
  });
});
