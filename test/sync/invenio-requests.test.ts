import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type DeskSite, deskProfiles, fakeOf, needsFake } from "../support/desk-site.ts";
import type { ProfileName } from "../support/fake-invenio/profile.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const say = (content: string) => ({ payload: { content, format: "html" } });

/** A community that grace curates. */
const givenCommunity = async (there: DeskSite): Promise<string> => {
  const body = {
    slug: `tides-${randomUUID()}`,
    metadata: { title: "Tides" },
    access: { visibility: "public", review_policy: "closed" },
  };
  return must(await there.person("grace").client.post("/api/communities", body), 201).body.id;
};

async function givenSubmitted(client: HttpClient, community: string): Promise<{ draft: string; request: string }> {
  const draft = await givenDraftThere(client, "Tides");
  await addFile(client, draft, "tides.csv", "hour,height");
  const review = { type: "community-submission", receiver: { community } };
  must(await client.put(`/api/records/${draft}/draft/review`, review), 200);
  const submitted = must(await client.post(`/api/records/${draft}/draft/actions/submit-review`, say("Please")), 202);
  return { draft, request: submitted.body.id };
}

type World = Desk & { draft: string; request: string; grace: HttpClient };

/** Ada's draft, submitted to the community of grace. */
async function givenConversation(profile: ProfileName = "invenio-14"): Promise<World> {
  let made = { draft: "", request: "" };
  const world = await givenDesk({ profile }, async (ada, there) => {
    made = await givenSubmitted(ada, await givenCommunity(there));
  });
  return { ...world, ...made, grace: world.there.person("grace").client };
}

const textsOf = async (client: HttpClient, request: string): Promise<string[]> =>
  (await client.get(`/api/requests/${request}/timeline?size=100`)).body.hits.hits.map(
    ({ payload }: { payload: { content?: string; event?: string } }) => payload.content ?? payload.event,
  );
const commentsAt = ({ request }: World) => `/api/requests/${request}/comments`;
const once = (texts: string[]): number => texts.filter((text) => text === "Once").length;
const unsure = { kind: "comment.create", reason: expect.stringContaining("did not say whether it took") };
const posted = ({ there }: Desk, end: string) =>
  there.site.calls.filter(({ method, path }) => method === "POST" && path.endsWith(end));

describe.each(deskProfiles)("requests of %s", (profile) => {
  test("are listed with their conversation and what the server offers, offline too (issue 20, step 6)", async () => {
    const world = await givenConversation(profile);
    const { desk, there, request, grace, draft } = world;
    must(await grace.post(commentsAt(world), say("A word from the curator")), 201);
    await world.run();
    await there.stop();
    const { body } = await desk.get("/api/user/requests");
    expect(body.hits.hits).toMatchObject([
      { id: request, type: "community-submission", status: "submitted", topic: { record: draft }, is_open: true },
    ]);
    expect(Object.keys(body.hits.hits[0].links.actions)).toEqual(["cancel"]);
    expect(await textsOf(desk, request)).toEqual(["Please", "A word from the curator"]);
  });
});

describe("comments on an InvenioRDM", () => {
  test("are written offline, sent once, and get the server's id (issue 20, step 6)", async () => {
    const world = await givenConversation();
    const { desk, ada, request } = world;
    await pause(desk);
    const made = must(await desk.post(commentsAt(world), say("Written at sea: “calm”")), 201);
    expect(await textsOf(desk, request)).toEqual(["Please", "Written at sea: “calm”"]);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await textsOf(ada.client, request)).toHaveLength(2);
    expect(posted(world, "/comments")).toHaveLength(1);
    const { hits } = (await desk.get(`/api/requests/${request}/timeline`)).body.hits;
    expect(hits).toHaveLength(2);
    expect(hits[1].id).not.toBe(made.body.id);
    expect((await ada.client.get(`${commentsAt(world)}/${hits[1].id}`)).status).toBe(200);
    expect(hits[1].sync).toBeUndefined();
  });

  test.for(["lost-after", "done-but-500", "late-504", "lost-before"] as const)(
    "stand there once when the answer is %s (issue 20, step 6; upstreams U4)",
    async (fault, row) => {
      if (fault === "done-but-500") needsFake(row, "a comment that is never indexed");
      const world = await givenConversation();
      const { desk, ada, there, request } = world;
      there.site.switches.fault(fault, "POST", /comments$/, 1, 2000);
      must(await desk.post(commentsAt(world), say("Once")), 201);
      await settle(world);
      // What is nowhere cannot be found. The user is asked, since it may stand there.
      const isLost = fault === "lost-before";
      expect(once(await textsOf(ada.client, request))).toBe(fault === "lost-after" || fault === "late-504" ? 1 : 0);
      expect(once(await textsOf(desk, request))).toBe(isLost ? 0 : 1);
      expect(await trayOf(desk)).toMatchObject(isLost ? [unsure] : []);
      expect(posted(world, "/comments")).toHaveLength(1);
    },
  );

  test("are found after a lost answer, though the site rewrites their letters (upstreams F6, U4)", async () => {
    const world = await givenConversation();
    world.there.site.switches.fault("lost-after", "POST", /comments$/);
    must(await world.desk.post(commentsAt(world), say("The ﬁeld of ﬂows")), 201);
    await settle(world);
    expect(await textsOf(world.desk, world.request)).toContain("The field of flows");
    expect(await trayOf(world.desk)).toEqual([]);
    expect(posted(world, "/comments")).toHaveLength(1);
  });

  test("that no list ever shows: version 14 says the newest one with the request, 13 does not (upstreams F7, U4)", async (row) => {
    needsFake(row, "a comment that is never indexed");
    const world = await givenConversation("invenio-13");
    world.there.site.switches.fault("done-but-500", "POST", /comments$/, 1);
    must(await world.desk.post(commentsAt(world), say("Once")), 201);
    await settle(world);
    expect(once(await textsOf(world.desk, world.request))).toBe(0);
    expect(await trayOf(world.desk)).toMatchObject([unsure]);
  });

  test("words that stand there already, unknown to this desk, are sent only after a question (upstreams U4, C13)", async () => {
    const world = await givenConversation();
    const { desk, ada, request } = world;
    await pause(desk);
    must(await desk.post(commentsAt(world), say("Thanks")), 201);
    must(await ada.client.post(commentsAt(world), say("Thanks")), 201);
    await desk.post("/api/sync/resume");
    await settle(world);
    const thanks = async () => (await textsOf(ada.client, request)).filter((text) => text === "Thanks").length;
    expect(await thanks()).toBe(1);
    const [entry] = await trayOf(desk);
    expect(entry.reason).toContain("You have written these words");
    must(await desk.post(`/api/sync/tray/${entry.id}/retry`), 200, 202, 204);
    await settle(world);
    expect(await thanks()).toBe(2);
  });

  test("stand here at once, though their list is late; so does what others wrote, after a second look (upstreams F17)", async (row) => {
    needsFake(row, "lists that are an hour late");
    // Version 14 says the newest comment with the request, so its late list holds nothing back.
    const world = await givenConversation("invenio-13");
    const { desk, grace, request } = world;
    fakeOf(world).switches.indexLagMs = 3_600_000;
    must(await desk.post(commentsAt(world), say("Mine")), 201);
    must(await grace.post(`/api/requests/${request}/actions/decline`, say("Not yet")), 200);
    await settle(world);
    expect(await textsOf(desk, request)).toContain("Mine");
    expect(await textsOf(desk, request)).not.toContain("Not yet");
    fakeOf(world).clock.advance(3_600_000);
    await world.run();
    expect(await textsOf(desk, request)).toEqual(expect.arrayContaining(["Please", "Mine", "Not yet"]));
  });

  test("the same words twice are two comments; replies stand below theirs (issue 20, step 6)", async () => {
    const world = await givenConversation();
    const { desk, ada, request } = world;
    for (const _ of [1, 2]) must(await desk.post(commentsAt(world), say("Thanks")), 201);
    const first = (await desk.get(`/api/requests/${request}/timeline`)).body.hits.hits[0].id;
    must(await desk.post(`${commentsAt(world)}/${first}/reply`, say("A reply")), 201);
    await settle(world);
    expect(await textsOf(ada.client, request)).toEqual(["Please", "Thanks", "Thanks"]);
    const { body } = await desk.get(`${commentsAt(world)}/${first}/replies`);
    expect(body.hits.hits).toMatchObject([{ payload: { content: "A reply" }, parent_id: first }]);
  });

  test("edits and deletions hold the revision that the user saw; what was changed there goes to the tray (issue 20, step 6)", async () => {
    const world = await givenConversation();
    const { desk, ada, request } = world;
    const [first] = (await desk.get(`/api/requests/${request}/timeline`)).body.hits.hits;
    const path = `${commentsAt(world)}/${first.id}`;
    must(await desk.put(path, say("Please, soon")), 200);
    await settle(world);
    expect(await textsOf(ada.client, request)).toEqual(["Please, soon"]);
    await pause(desk);
    must(await desk.put(path, say("Mine")), 200);
    must(await ada.client.put(path, say("In the browser")), 200);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await textsOf(ada.client, request)).toEqual(["In the browser"]);
    expect(await trayOf(desk)).toMatchObject([{ reason: expect.stringContaining("changed on 127.0.0.1 meanwhile") }]);
    expect(await textsOf(desk, request)).toEqual(["In the browser"]);
    must(await desk.delete(path), 204);
    await settle(world);
    expect(await textsOf(ada.client, request)).toEqual(["comment was deleted"]);
  });

  test("a locked conversation refuses; the comment is in the tray with the reason (issue 20, step 6)", async (row) => {
    needsFake(row, "a conversation that others lock");
    const world = await givenConversation();
    const { desk, request } = world;
    await pause(desk);
    must(await desk.post(commentsAt(world), say("Too late")), 201);
    Object.assign(fakeOf(world).state.requests.get(request) ?? {}, { isLocked: true });
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([{ kind: "comment.create" }]);
    expect(await textsOf(desk, request)).toEqual(["Please"]);
  });
});

describe("decisions on an InvenioRDM", () => {
  const act = ({ desk, request }: World, action: string) => desk.post(`/api/requests/${request}/actions/${action}`);

  test("pressed online they are made once, and seen here at once (issue 20, step 6)", async () => {
    const world = await givenConversation();
    must(await act(world, "cancel"), 200);
    expect(posted(world, "/actions/cancel")).toHaveLength(1);
    expect((await world.desk.get(`/api/requests/${world.request}`)).body).toMatchObject({
      status: "cancelled",
      links: { actions: {} },
    });
  });

  test("without the server they are not queued (issue 20, step 6)", async () => {
    const world = await givenConversation();
    await pause(world.desk);
    expect((await act(world, "cancel")).status).toBe(503);
    await world.desk.post("/api/sync/resume");
    await settle(world);
    expect(posted(world, "/actions/cancel")).toHaveLength(0);
  });

  test("what somebody decided meanwhile is shown, and nothing is sent (issue 20, step 6; upstreams F2)", async () => {
    const world = await givenConversation();
    must(await world.grace.post(`/api/requests/${world.request}/actions/decline`), 200);
    const answer = await act(world, "cancel");
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining("meanwhile") } });
    expect(posted(world, "/actions/cancel")).toHaveLength(0);
    await world.run();
    expect((await world.desk.get(`/api/requests/${world.request}`)).body.status).toBe("declined");
  });

  test("a lost answer is looked for and the call never repeated (issue 20, step 6; upstreams U1)", async () => {
    const world = await givenConversation();
    world.there.site.switches.fault("lost-after", "POST", /cancel$/);
    expect(await act(world, "cancel")).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining("did not say") },
    });
    await settle(world);
    expect(posted(world, "/actions/cancel")).toHaveLength(1);
    expect((await world.desk.get(`/api/requests/${world.request}`)).body.status).toBe("cancelled");
  });

  test("a curator accepts what others submitted, which publishes it (issue 20, step 6; upstreams F21)", async () => {
    let request = "";
    const world = await givenDesk({}, async (ada, there) => {
      const body = {
        slug: `own-${randomUUID()}`,
        metadata: { title: "Own" },
        access: { visibility: "public", review_policy: "closed" },
      };
      const community = must(await ada.post("/api/communities", body), 201).body.id;
      ({ request } = await givenSubmitted(there.person("grace").client, community));
    });
    const there = (await world.desk.get(`/api/requests/${request}`)).body;
    expect(Object.keys(there.links.actions).sort()).toEqual(["accept", "decline"]);
    must(await world.desk.get(`/api/records/${there.topic.record}/draft`), 200);
    must(await world.desk.post(`/api/requests/${request}/actions/accept`, say("Welcome")), 200);
    expect((await world.desk.get(`/api/requests/${request}`)).body.status).toBe("accepted");
    // Said with the decision, so the conversation may be too late to have it.
    const isSaid = async () => (await textsOf(world.desk, request)).includes("Welcome");
    await until(async () => (await isSaid()) || world.run().then(isSaid), "the conversation has it");
  });
});

test("a draft is submitted to a community online, once (issue 20, step 6; upstreams F21)", async () => {
  let community = "";
  let draft = "";
  const world = await givenDesk({}, async (ada, there) => {
    community = await givenCommunity(there);
    draft = await givenDraftThere(ada, "Tides");
    await addFile(ada, draft, "tides.csv", "hour,height");
  });
  const { desk } = world;
  const at = `/api/records/${draft}/draft`;
  must(await desk.put(`${at}/review`, { type: "community-submission", receiver: { community } }), 200);
  expect((await desk.get(`${at}/review`)).body).toMatchObject({ status: "draft", receiver: { community } });
  must(await desk.post(`${at}/actions/submit-review`, say("Please take it")), 202);
  expect(posted(world, "/submit-review")).toHaveLength(1);
  const { body } = await desk.get("/api/user/requests");
  expect(body.hits.hits).toMatchObject([{ status: "submitted", topic: { record: draft }, receiver: { community } }]);
  expect(await textsOf(desk, body.hits.hits[0].id)).toEqual(["Please take it"]);
});
