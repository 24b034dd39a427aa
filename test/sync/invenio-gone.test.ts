import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import {
  type Desk,
  draftAt,
  editDraft,
  givenDesk,
  givenDraftThere,
  givenRecordThere,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const day = 86_400;

const sweep = (world: Desk) => settle(world, day + 100);
const resume = (desk: HttpClient) => desk.post("/api/sync/resume");

/** A desk with an edit of a record, sent or not, that an administrator then deletes, with its draft or without. */
async function givenDeletedRecord({ isSent = false, keepsDraft = false } = {}) {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenRecordThere(ada, "Published");
  });
  const { desk } = world;
  must(await desk.post(draftAt(id)), 201);
  await settle(world);
  await pause(desk);
  await editDraft(desk, id, { title: "Written at the desk" });
  if (isSent) {
    await resume(desk);
    await settle(world);
  }
  fakeOf(world).deleteRecord(id, keepsDraft);
  await resume(desk);
  return { ...world, id };
}

describe("a record that an administrator deletes while the desk has an edit of it (upstreams U3, U8)", () => {
  test("the words are in the tray, and the record is gone", async (row) => {
    needsFake(row, "a record that an administrator deletes");
    const world = await givenDeletedRecord();
    await settle(world);
    await sweep(world);
    const { desk, id } = world;
    expect(await trayOf(desk)).toMatchObject([
      {
        kind: "draft.edit",
        reason: "It was deleted or discarded elsewhere.",
        operation: { content: { metadata: { title: "Written at the desk" } } },
      },
    ]);
    expect((await desk.get(draftAt(id))).status).toBe(404);
    expect((await desk.get(`/api/records/${id}`)).status).toBe(404);
  });

  test("what was sent before went with the draft there, and nothing waits", async (row) => {
    needsFake(row, "a record that an administrator deletes");
    const world = await givenDeletedRecord({ isSent: true });
    await sweep(world);
    const { desk, id } = world;
    expect(await trayOf(desk)).toEqual([]);
    expect((await desk.get(draftAt(id))).status).toBe(404);
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", pending: 0 });
  });
});

test("a record that an administrator deletes, whose draft stays there: the words reach it, and it can be discarded (upstreams U3)", async (row) => {
  needsFake(row, "a record that an administrator deletes");
  const world = await givenDeletedRecord({ keepsDraft: true });
  const { desk, id } = world;
  await settle(world);
  await sweep(world);
  const metadata = { title: "Written at the desk" };
  expect(fakeOf(world).state.drafts.get(id)).toMatchObject({ metadata });
  expect((await desk.get(draftAt(id))).body).toMatchObject({ metadata });
  expect(await trayOf(desk)).toEqual([]);
  must(await desk.delete(draftAt(id)), 204);
  await settle(world);
  expect(fakeOf(world).state.drafts.has(id)).toBe(false);
  expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", rejected: 0 });
});

describe("a token of another account, after the first one was revoked (upstreams 5.1, U7)", () => {
  test.each([true, false])("nothing of the one is sent as the other (/api/me: %s)", async (hasMe) => {
    let [id, shared] = ["", ""];
    const world = await givenDesk({}, async (client) => {
      id = await givenDraftThere(client, "Of Ada");
      shared = await givenDraftThere(client, "Shared with Grace");
    });
    const { desk, ada, there, replica } = world;
    const grace = there.person("grace");
    await givenDraftThere(grace.client, "Of Grace");
    const grants = { grants: [{ subject: { type: "user", id: grace.id }, permission: "edit" }] };
    must(await ada.client.post(`/api/records/${shared}/access/grants`, grants), 201);
    await pause(desk);
    await editDraft(desk, id, { title: "Written by Ada" });
    await there.site.revoke(ada.token);
    await resume(desk);
    await until(async () => (await desk.get("/api/sync/status")).body.state === "sign_in", "the user is asked");
    if (!hasMe) fakeOf(world).switches.me = false;
    const answer = await desk.post("/api/sync/connect", { server: there.url, token: grace.token });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain("belongs to ada: use another data folder for another account");
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "sign_in", user: { username: "ada" } });
    const ofDesk = there.site.calls.filter(({ headers }) => headers["user-agent"]?.startsWith("Carrel"));
    const writing = ofDesk.filter(({ person, method }) => person === "grace" && method !== "GET");
    expect(writing.map(({ path }) => path)).toEqual([]);
    fakeOf(world).switches.me = true;
    must(await desk.post("/api/sync/connect", { server: there.url, token: there.person("ada").token }), 200);
    await until(() => replica.engine.isOnline(), "it is online again");
    await settle(world);
    expect((await ada.client.get(draftAt(id))).status).toBe(403);
    expect(fakeOf(world).state.drafts.get(id)?.metadata.title).toBe("Written by Ada");
  });
});

describe("the walk over everything, at a site that does not know `allversions`", () => {
  test.each(["refused", "ignored"] as const)(
    "%s: it finds what is gone, and former versions stay (upstreams 4)",
    async (allVersions) => {
      let [gone, first] = ["", ""];
      const world = await givenDesk({}, async (ada) => {
        gone = await givenDraftThere(ada, "Tides");
        first = await givenRecordThere(ada, "First version");
      });
      const { desk, ada } = world;
      const { id, metadata } = must(await ada.client.post(`/api/records/${first}/versions`), 201).body;
      must(await ada.client.put(draftAt(id), { metadata: { ...metadata, publication_date: "2026" } }), 200);
      fakeOf(world).switches.allVersions = allVersions;
      must(await ada.client.delete(draftAt(gone)), 204);
      await sweep(world);
      expect((await desk.get(draftAt(gone))).status).toBe(404);
      expect((await desk.get(`/api/records/${first}`)).body.metadata.title).toBe("First version");
      expect((await desk.get(draftAt(id))).status).toBe(200);
      expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", online: true });
    },
  );
});

describe("a request that changes while a comment waits to be sent (upstreams U4)", () => {
  const say = (content: string) => ({ payload: { content, format: "html" } });
  const at = (id: string) => `/api/requests/${id}`;

  /** A submitted draft, and an unsent comment on its review. */
  async function givenUnsentComment() {
    let request = "";
    const world = await givenDesk({}, async (ada, there) => {
      const own = { slug: "tides", metadata: { title: "Tides" }, access: { visibility: "public" } };
      const community = must(await there.person("grace").client.post("/api/communities", own), 201).body.id;
      const draft = await givenDraftThere(ada, "Tides");
      await addFile(ada, draft, "tides.csv", "hour,height");
      const review = { type: "community-submission", receiver: { community } };
      must(await ada.put(`${draftAt(draft)}/review`, review), 200);
      request = must(await ada.post(`${draftAt(draft)}/actions/submit-review`, say("Please")), 202).body.id;
    });
    await pause(world.desk);
    must(await world.desk.post(`${at(request)}/comments`, say("Written at sea")), 201);
    return { ...world, request };
  }
  const textsAt = async (client: HttpClient, request: string): Promise<string[]> =>
    (await client.get(`${at(request)}/timeline`)).body.hits.hits.map(
      ({ payload }: { payload: { content?: string } }) => payload.content,
    );

  test("closed there: the comment is sent all the same", async () => {
    const world = await givenUnsentComment();
    const { desk, ada, request } = world;
    must(await ada.client.post(`${at(request)}/actions/cancel`, say("Not now")), 200);
    await resume(desk);
    await settle(world);
    expect(await textsAt(ada.client, request)).toContain("Written at sea");
    expect(await trayOf(desk)).toEqual([]);
  });

  test.each([true, false])("gone: the words are in the tray (heard before it is sent: %s)", async (isHeardFirst) => {
    const world = await givenUnsentComment();
    const { desk, request, replica } = world;
    fakeOf(world).state.requests.delete(request);
    if (isHeardFirst) {
      world.advance(day + 100);
      fakeOf(world).clock.advance((day + 100) * 1000);
    }
    await resume(desk);
    await settle(world);
    await replica.engine.refresh();
    const [entry, ...others] = await trayOf(desk);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      kind: "comment.create",
      reason: "127.0.0.1 does not show this conversation any more.",
      operation: { body: { payload: { content: "Written at sea" } } },
    });
    expect((await desk.get(at(request))).status).toBe(404);
    must(await desk.post(`/api/sync/tray/${entry.id}/retry`), 200);
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([{ operation: { body: { payload: { content: "Written at sea" } } } }]);
  });

  test("gone, with a comment that was changed here: its words are in the tray, too", async () => {
    const world = await givenUnsentComment();
    const { desk, request } = world;
    const { hits } = (await desk.get(`${at(request)}/timeline`)).body.hits;
    must(await desk.put(`${at(request)}/comments/${hits[0].id}`, say("Please, soon")), 200);
    fakeOf(world).state.requests.delete(request);
    await resume(desk);
    await settle(world);
    const reason = expect.stringContaining("does not show this conversation any more");
    const text = (content: string) => ({ operation: { body: { payload: { content } } } });
    expect(await trayOf(desk)).toMatchObject([
      { kind: "comment.create", ...text("Written at sea") },
      { kind: "comment.update", ...text("Please, soon") },
    ]);
    expect((await trayOf(desk)).map((entry: { reason: string }) => entry.reason)).toContainEqual(reason);
  });
});
