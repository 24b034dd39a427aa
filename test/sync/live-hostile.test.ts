import fc from "fast-check";
import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import * as Y from "yjs";
import { readMessage, writeAnswer, writeAsk, writeUpdate } from "../../server/sync/live/live-wire.ts";
import { writePresence } from "../../shared/sync-protocol/presence-wire.ts";
import { until } from "../support/until.ts";
import { type Live, type Person, startLive } from "./live-fixture.ts";

let live: Live;
let ada: Person;
beforeAll(async () => {
  live = await startLive();
  ada = await live.givenPerson("ada");
});
afterAll(() => live.close());

/** A connection that speaks bytes. */
async function raw(id: string, extras = "") {
  const socket = await live.socket(`/api/sync/documents/draft:${id}?ticket=${await live.ticketOf(ada)}${extras}`);
  if (!(socket instanceof WebSocket)) throw new Error(`refused: ${socket}`);
  const heard: Uint8Array[] = [];
  const seen = { code: 0 };
  socket.on("message", (data: Buffer) => heard.push(new Uint8Array(data)));
  socket.on("close", (code) => {
    seen.code = code;
  });
  return {
    socket,
    heard,
    seen,
    types: () => heard.map((frame) => decoding.readVarUint(decoding.createDecoder(frame))),
  };
}

const isAlive = async (id: string): Promise<boolean> =>
  (await live.call(ada, "GET", `/api/records/${id}/draft`)).status === 200;

/** About so many; CARREL_FRAMES=100000 for a long run. */
const hostileFrames = Number(process.env.CARREL_FRAMES ?? 300);

test("a user who takes tickets without end drops their own, not those of others (issue 15)", async () => {
  const eve = await live.givenPerson("eve");
  const path = `/api/sync/documents/draft:${await live.givenDraft(ada)}`;
  const [hers, first] = [await live.ticketOf(ada), await live.ticketOf(eve)];
  const { db } = live.server.host;
  const { caller } = await db.selectFrom("ticket").selectAll().orderBy("expires_at", "desc").executeTakeFirstOrThrow();
  expect(caller).toContain(eve.id);
  for (let at = 0; at < 100; at++) {
    const expires_at = live.server.host.now() + 60_000_000;
    const many = Array.from({ length: 100 }, (_, n) => ({ digest: `${at} ${n}`, caller, document: null, expires_at }));
    await db.insertInto("ticket").values(many).execute();
  }
  const last = await live.ticketOf(eve);
  const counted = db.selectFrom("ticket").select((row) => row.fn.countAll<number>().as("count"));
  expect((await counted.executeTakeFirstOrThrow()).count).toBeLessThan(200);
  const answers = [];
  for (const ticket of [hers, first, last]) answers.push(await live.socket(`${path}?ticket=${ticket}`));
  const [opened, ...others] = answers;
  expect(others).toEqual([401, 403]);
  if (!(opened instanceof WebSocket)) throw new Error(`refused: ${opened}`);
  opened.close();
});

describe("hostile frames on a document's socket", () => {
  test("a frame over 8 MiB closes the socket with 1009 (Live limits)", async () => {
    const id = await live.givenDraft(ada);
    const { socket, seen } = await raw(id);
    socket.send(new Uint8Array(8 * 1024 * 1024 + 1));
    await until(() => seen.code === 1009);
    expect(await isAlive(id)).toBe(true);
  });

  test("a state vector far longer than the document's, and very long presence, close the socket (security 6)", async () => {
    const id = await live.givenDraft(ada);
    const vectorOf = (entries: number): Uint8Array =>
      encoding.encode((into) => {
        encoding.writeVarUint(into, entries);
        for (let at = 0; at < 2 * entries; at++) encoding.writeVarUint(into, at + 1);
      });
    const presence = writePresence(
      Array.from({ length: 200 }, (_, i) => ({ clientId: i, clock: 1, state: { text: "x".repeat(4000) } })),
    );
    const [long, fair, present] = [await raw(id), await raw(id), await raw(id)];
    long.socket.send(writeAsk(vectorOf(1_000_000)));
    present.socket.send(presence);
    await until(() => long.seen.code === 1002 && present.seen.code === 1002);
    const before = fair.heard.length;
    fair.socket.send(writeAsk(vectorOf(10_000)));
    await until(() => fair.heard.length > before);
    expect(fair.seen.code).toBe(0);
  });

  test("text frames and malformed messages close the socket; the server continues", async () => {
    const id = await live.givenDraft(ada);
    const [text, garbled] = [await raw(id), await raw(id)];
    text.socket.send("hello");
    garbled.socket.send(new Uint8Array([0, 2, 255]));
    await until(() => text.seen.code === 1003 && garbled.seen.code === 1002);
  });

  test(
    "any bytes: the server lives, the draft is what it was",
    async () => {
      const id = await live.givenDraft(ada);
      const before = (await live.call(ada, "GET", `/api/records/${id}/draft`)).body;
      const body = fc.uint8Array({ maxLength: 60 });
      const frames = fc.oneof(
        body,
        body.map((bytes) => writeUpdate(bytes)),
        body.map((bytes) =>
          encoding.encode(
            (into) => [0, 0].map((n) => encoding.writeVarUint(into, n)) && encoding.writeVarUint8Array(into, bytes),
          ),
        ),
        body.map((bytes) =>
          encoding.encode((into) => encoding.writeVarUint(into, 1) ?? encoding.writeVarUint8Array(into, bytes)),
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(frames, { maxLength: 10 }), async (sent) => {
          const { socket } = await raw(id);
          for (const frame of sent) socket.send(frame);
          await new Promise((resolve) => {
            socket.on("close", resolve);
            socket.close();
          });
        }),
        { seed: 20261121, numRuns: Math.ceil(hostileFrames / 5) },
      );
      expect((await live.call(ada, "GET", `/api/records/${id}/draft`)).body).toEqual(before);
    },
    Math.max(30_000, hostileFrames * 60),
  );

  test("a truncated update, or one with a flipped bit, does no harm", async () => {
    const id = await live.givenDraft(ada, { title: "A title", subjects: [{ subject: "ice" }] });
    const client = await live.connect(ada, id);
    const full = Y.encodeStateAsUpdate(client.doc);
    // A client that connects now is asked for its whole document.
    await live.call(ada, "PUT", `/api/records/${id}/draft`, { metadata: { title: "A title" } });
    const { socket, seen } = await raw(id);
    for (let at = 0; at < full.length; at += 7) {
      const write = at % 2 === 0 ? writeUpdate : writeAnswer;
      socket.send(write(full.slice(0, at)));
      const turned = full.slice();
      turned[at] = (turned[at] ?? 0) ^ 4;
      socket.send(write(turned));
    }
    client.metadata().set("publisher", "Sound");
    await until(
      async () => (await live.call(ada, "GET", `/api/records/${id}/draft`)).body.metadata.publisher === "Sound",
    );
    expect(seen.code).toBe(0);
    expect((await live.call(ada, "GET", `/api/records/${id}/draft`)).body.metadata.title).toBe("A title");
  });

  test("presence: one id per connection, no other user's id, no long state", async () => {
    const id = await live.givenDraft(ada);
    const bob = await live.givenPerson("bob");
    await live.grant(id, bob, "preview");
    const watcher = await live.connect(ada, id);
    const victim = await live.connect(bob, id);
    const states = () => watcher.provider.awareness.getStates();
    await until(() => states().has(victim.doc.clientID));
    const { socket } = await raw(id);
    socket.send(writePresence([{ clientId: victim.doc.clientID, clock: 99, state: { forged: true } }]));
    socket.send(writePresence([{ clientId: 501, clock: 1, state: { text: "x".repeat(5000) } }]));
    socket.send(writePresence([{ clientId: 502, clock: 1, state: { user: { id: "root", name: "Root" } } }]));
    socket.send(writePresence([{ clientId: 503, clock: 1, state: { second: true } }]));
    await until(() => states().has(502));
    expect(states().get(502)?.user).toEqual({ id: ada.id, name: "ada the person" });
    expect(states().get(victim.doc.clientID)).not.toHaveProperty("forged");
    expect(states().has(501) || states().has(503)).toBe(false);
    socket.close();
    await until(() => !states().has(502));
  });

  test("extension messages go only to clients that requested them (Live extras)", async () => {
    const id = await live.givenDraft(ada);
    const [plain, extra] = [await raw(id), await raw(id, "&extras=1")];
    const client = await live.connect(ada, id);
    const doc = new Y.Doc();
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(client.doc));
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    (doc.getMap("draft").get("metadata") as Y.Map<unknown>).set("publisher", "P");
    doc.getMap("draft").set("owner", "me");
    for (const { socket } of [extra, plain]) for (const update of updates) socket.send(writeUpdate(update));
    await until(() => extra.types().includes(100) && extra.types().includes(102));
    await until(() => plain.types().includes(2));
    expect(plain.types().every((type) => type < 100)).toBe(true);
  });

  test("a client that does not read delays nobody, and gets everything when it reads again", async () => {
    const id = await live.givenDraft(ada);
    const { socket, heard } = await raw(id);
    const copy = new Y.Doc();
    const hear = () => {
      for (const frame of heard.splice(0)) {
        const message = readMessage(frame);
        if (message.type === "update" || message.type === "answer") Y.applyUpdate(copy, message.update);
      }
      return copy.getMap("draft").get("custom_fields") as Y.Map<unknown> | undefined;
    };
    socket.send(writeAsk(Y.encodeStateVector(copy)));
    await until(() => hear() !== undefined);
    const writer = await live.connect(ada, id);
    socket.pause();
    const names = writer.doc.getMap("draft").get("custom_fields") as Y.Map<unknown>;
    for (let i = 0; i < 12; i++) names.set("big", `${i}`.repeat(500_000));
    names.set("last", true);
    const other = await live.connect(ada, id);
    await until(() => (other.doc.getMap("draft").get("custom_fields") as Y.Map<unknown>).get("last") === true);
    socket.resume();
    await until(() => hear()?.get("last") === true);
    expect(hear()?.toJSON()).toEqual(names.toJSON());
  });
});
