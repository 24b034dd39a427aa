import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as Y from "yjs";
import { withServices } from "../../server/with-services.ts";
import { givenUser, signedInBrowser } from "../support/sign-in.ts";
import { until } from "../support/until.ts";
import { type Live, type Person, startLive } from "./live-fixture.ts";

let live: Live;
let ada: Person;
let bob: Person;
let eve: Person;

beforeAll(async () => {
  live = await startLive();
  ada = await live.givenPerson("ada");
  bob = await live.givenPerson("bob");
  eve = await live.givenPerson("eve");
});
afterAll(() => live.close());

const draftOf = async (person: Person, id: string) => (await live.call(person, "GET", `/api/records/${id}/draft`)).body;

describe("tickets (hosts-and-sync 8, Ticket)", () => {
  test("201 with a ticket for 60 s; anonymous 403; a wrong body 400", async () => {
    const startedAt = Date.now();
    const answer = await live.call(ada, "POST", "/api/sync/ticket");
    expect(answer).toMatchObject({ status: 201, body: { ticket: expect.any(String) } });
    expect(answer.body.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect(Date.parse(answer.body.expires_at)).toBeGreaterThanOrEqual(startedAt + 60_000);
    expect((await live.call(undefined, "POST", "/api/sync/ticket")).status).toBe(403);
    expect((await live.call(ada, "POST", "/api/sync/ticket", { document: 4 })).status).toBe(400);
  });

  test("the upgrade: 401 without a good ticket, 403 below preview, 404 for unknown drafts, rooms and paths", async () => {
    const id = await live.givenDraft(ada);
    const path = `/api/sync/documents/draft:${id}`;
    expect(await live.socket(path)).toBe(401);
    expect(await live.socket(`${path}?ticket=nothing`)).toBe(401);
    const ticket = await live.ticketOf(ada);
    const opened = await live.socket(`${path}?ticket=${ticket}`);
    expect(opened).toBeTypeOf("object");
    expect(await live.socket(`${path}?ticket=${ticket}`)).toBe(401);
    expect(await live.socket(`${path}?ticket=${await live.ticketOf(eve)}`)).toBe(403);
    for (const room of ["draft:aaaaa-aaaaa", "draft:", "record:x", "draft:%00", id]) {
      expect(await live.socket(`/api/sync/documents/${room}?ticket=${await live.ticketOf(ada)}`)).toBe(404);
    }
    for (const other of ["/api/sync/other", "//"]) {
      expect(await live.socket(`${other}?ticket=${await live.ticketOf(ada)}`)).toBe(404);
    }
    if (typeof opened === "object") opened.close();
  });

  test("a call that offers HTTP/2 is answered in HTTP/1.1", async () => {
    const { port } = new URL(live.server.url);
    const headers = {
      Connection: "Upgrade, HTTP2-Settings",
      Upgrade: "h2c",
      "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
    };
    const status = await new Promise((resolve, reject) => {
      request({ port, path: "/api/records", headers }, (answer) => resolve(answer.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test("a ticket bound to one document opens no other", async () => {
    const [one, two] = [await live.givenDraft(ada), await live.givenDraft(ada)];
    const open = async (bound: string, id: string) => {
      const socket = await live.socket(
        `/api/sync/documents/draft:${id}?ticket=${await live.ticketOf(ada, { document: bound })}`,
      );
      if (typeof socket === "object") socket.close();
      return socket;
    };
    expect(await open(`draft:${one}`, two)).toBe(401);
    expect(await open(`draft:${one}`, one)).toBeTypeOf("object");
  });
});

describe("live documents with the stock client (hosts-and-sync 6 and 8)", () => {
  test("a ticket of a call with an Idempotency-Key opens a socket whose edits are no part of that call", async () => {
    const id = await live.givenDraft(ada);
    const headers = { Authorization: `Bearer ${ada.token}`, "Idempotency-Key": "ticket" };
    const answer = await fetch(`${live.server.url}/api/sync/ticket`, { method: "POST", headers });
    const { ticket } = (await answer.json()) as { ticket: string };
    const client = await live.connect(ada, id, ticket);
    client.title().insert(0, "One: ");
    await until(async () => (await draftOf(ada, id)).metadata.title === "One: A title");
    expect(client.closed).toEqual([]);
  });

  test("two users type; both see both texts, and the draft has them", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const [first, second] = [await live.connect(ada, id), await live.connect(bob, id)];
    expect([...first.doc.getMap("draft").keys()].toSorted()).toEqual([
      "access",
      "custom_fields",
      "files",
      "metadata",
      "pids",
    ]);
    first.title().insert(0, "One: ");
    second.title().insert(7, ", two");
    first.metadata().set("publisher", "Carrel");
    (second.metadata().get("subjects") as Y.Map<unknown>).set("s", new Y.Map([["subject", "snow"]]));
    const expected = { title: "One: A title, two", publisher: "Carrel", subjects: [{ subject: "snow" }] };
    await until(async () => (await draftOf(ada, id)).metadata.subjects !== undefined);
    await until(() => second.metadata().get("publisher") === "Carrel" && first.title().toString() === expected.title);
    expect((await draftOf(ada, id)).metadata).toMatchObject(expected);
    expect(second.title().toString()).toBe(expected.title);
    expect(Y.encodeStateVector(first.doc)).toEqual(Y.encodeStateVector(second.doc));
  });

  test("two users set one field in the same moment: one value wins everywhere, the other kept as a conflict (hosts-and-sync 4)", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const clients = [await live.connect(ada, id), await live.connect(bob, id)] as const;
    for (const [index, client] of clients.entries()) client.metadata().set("publisher", `Press ${index}`);
    const conflicts = () => live.server.host.db.selectFrom("conflict").selectAll().where("draft_id", "=", id).execute();
    await until(async () => (await conflicts()).length > 0);
    const { publisher } = (await draftOf(ada, id)).metadata;
    const lost = publisher === "Press 0" ? 1 : 0;
    expect(await conflicts()).toMatchObject([
      {
        user_id: [ada, bob][lost]?.id,
        theirs_by: [bob, ada][lost]?.id,
        path: "metadata.publisher",
        mine: JSON.stringify(`Press ${lost}`),
        theirs: JSON.stringify(publisher),
      },
    ]);
    await until(() => clients.every((client) => client.metadata().get("publisher") === publisher));
  });

  test("a PUT reaches the clients within 2 s, and merges with what they type", async () => {
    const id = await live.givenDraft(ada);
    const client = await live.connect(ada, id);
    const body = await draftOf(ada, id);
    client.title().insert(0, "My ");
    const put = await live.call(ada, "PUT", `/api/records/${id}/draft`, {
      ...body,
      metadata: { ...body.metadata, publisher: "By PUT" },
    });
    expect(put.status).toBe(200);
    await until(() => client.metadata().get("publisher") === "By PUT", "within 2 s", 2000);
  });

  test("a user with preview level reads and is shown as present; their updates are refused and not relayed", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "preview");
    const [writer, reader] = [await live.connect(ada, id), await live.connect(bob, id)];
    reader.title().insert(0, "Forbidden ");
    reader.provider.awareness.setLocalStateField("user", { name: "ada", color: "#abc" });
    await until(() => writer.provider.awareness.getStates().get(reader.doc.clientID)?.user?.color === "#abc");
    expect(writer.provider.awareness.getStates().get(reader.doc.clientID)?.user).toEqual({
      id: bob.id,
      name: "bob the person",
      color: "#abc",
    });
    writer.metadata().set("publisher", "Seen");
    await until(() => reader.metadata().get("publisher") === "Seen");
    expect(writer.title().toString()).toBe("A title");
    expect((await draftOf(ada, id)).metadata.title).toBe("A title");
    expect(reader.closed).toEqual([]);
  });

  test("a user who leaves is no longer present, and can come back under the same id", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const [one, two] = [await live.connect(ada, id), await live.connect(bob, id)];
    const seen = () => one.provider.awareness.getStates().has(two.doc.clientID);
    await until(seen);
    two.provider.disconnect();
    await until(() => !seen());
    two.provider.params = { ticket: await live.ticketOf(bob) };
    two.provider.connect();
    await until(seen);
  });

  test("a withdrawn right closes the socket within a second", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const client = await live.connect(bob, id);
    await live.grant(id, bob, undefined);
    await until(() => client.closed.includes(4403), "within a second", 1000);
  });

  test("a right lowered from edit to preview: further updates are refused within a second", async () => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const [writer, lowered] = [await live.connect(ada, id), await live.connect(bob, id)];
    await live.grant(id, bob, "preview");
    lowered.title().insert(0, "Late ");
    writer.metadata().set("version", "2");
    await until(() => lowered.metadata().get("version") === "2");
    expect((await draftOf(ada, id)).metadata.title).toBe("A title");
    expect(lowered.closed).toEqual([]);
  });

  test("a token that is revoked closes the socket within a second", async () => {
    const dan = await live.givenPerson(`dan${Date.now()}`);
    const id = await live.givenDraft(dan);
    const client = await live.connect(dan, id);
    await live.server.services.tokens.revokeById(dan.tokenId);
    await until(() => client.closed.includes(4401), "within a second", 1000);
  });

  test("a revoked token changes nothing more, not even before its socket is closed (security 9)", async () => {
    const hal = await live.givenPerson("hal");
    const id = await live.givenDraft(hal);
    const client = await live.connect(hal, id);
    const { db } = live.server.host;
    const draft = () =>
      db.selectFrom("draft").select(["metadata", "revision_id"]).where("id", "=", id).executeTakeFirstOrThrow();
    const before = await draft();
    await live.server.services.tokens.revokeById(hal.tokenId);
    client.title().insert(0, "Late ");
    await until(() => client.closed.includes(4401), "the socket is closed");
    expect(await draft()).toEqual(before);
  });

  test("signing out of a browser closes the socket of that session, and no other, within a second", async () => {
    const { server } = live;
    await givenUser(server, "nell");
    const [one, two] = [await signedInBrowser(server, "nell"), await signedInBrowser(server, "nell")];
    const { body } = await one.plain.post("/api/records", { metadata: {} }, { headers: one.csrf });
    const codesOf = async ({ plain, csrf }: typeof one): Promise<number[]> => {
      const { ticket } = (await plain.post("/api/sync/ticket", {}, { headers: csrf })).body;
      const socket = await live.socket(`/api/sync/documents/draft:${body.id}?ticket=${ticket}`);
      const codes: number[] = [];
      if (typeof socket === "object") socket.on("close", (code) => codes.push(code));
      else codes.push(socket);
      return codes;
    };
    const [left, stays] = [await codesOf(one), await codesOf(two)];
    await one.plain.post("/api/logout", undefined, { headers: one.csrf });
    await until(() => left.length > 0, "within a second", 1000);
    expect([left, stays]).toEqual([[4401], []]);
  });

  test("a user deactivated by another process loses the socket within a second", async () => {
    const gil = await live.givenPerson("gil");
    const id = await live.givenDraft(gil);
    const client = await live.connect(gil, id);
    await withServices(live.dataDir, ({ services }) => services.users.deactivate(gil.id));
    await until(() => client.closed.includes(4401), "within a second", 1000);
  });

  test("an access link opens a document with the link's level", async () => {
    const id = await live.givenDraft(ada);
    const link = await live.call(ada, "POST", `/api/records/${id}/access/links`, { permission: "preview" });
    const { body } = await live.call(eve, "POST", `/api/sync/ticket?token=${link.body.token}`);
    const socket = await live.socket(`/api/sync/documents/draft:${id}?ticket=${body.ticket}`);
    expect(socket).toBeTypeOf("object");
    if (typeof socket !== "object") return;
    const left = new Promise((resolve) => socket.on("close", resolve));
    await live.call(ada, "DELETE", `/api/records/${id}/access/links/${link.body.id}`);
    expect(await left).toBe(4403);
  });

  test("a draft that is discarded closes its sockets", async () => {
    const id = await live.givenDraft(ada);
    const client = await live.connect(ada, id);
    expect((await live.call(ada, "DELETE", `/api/records/${id}/draft`)).status).toBe(204);
    await until(() => client.closed.includes(4404), "within 2 s", 2000);
  });

  test("an update that breaks the shape is refused and not relayed; others go on", async () => {
    const id = await live.givenDraft(ada);
    const [one, two] = [await live.connect(ada, id), await live.connect(ada, id)];
    one.doc.getMap("draft").set("owner", "me");
    one.doc.getMap("other").set("a", 1);
    two.title().insert(0, "Still ");
    await until(async () => (await draftOf(ada, id)).metadata.title === "Still A title");
    expect(two.doc.getMap("draft").has("owner")).toBe(false);
    expect(two.doc.getMap("other").size).toBe(0);
  });

  test("a document over 16 MiB is refused and not relayed (Live limits)", async () => {
    const id = await live.givenDraft(ada);
    const [one, two] = [await live.connect(ada, id), await live.connect(ada, id)];
    const names = one.doc.getMap("draft").get("custom_fields") as Y.Map<unknown>;
    for (const key of ["a", "b", "c"]) names.set(key, "x".repeat(7 * 1024 * 1024));
    one.provider.awareness.setLocalStateField("done", true);
    const other = two.doc.getMap("draft").get("custom_fields") as Y.Map<unknown>;
    await until(() => other.size === 2);
    await until(() => two.provider.awareness.getStates().get(one.doc.clientID)?.done === true);
    expect([...other.keys()].toSorted()).toEqual(["a", "b"]);
  });
});
