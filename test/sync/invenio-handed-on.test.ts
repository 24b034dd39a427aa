import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, editDraft, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const say = (content: string) => ({ payload: { content, format: "html" } });
const posted = ({ there }: Desk, end: string) =>
  there.site.calls.filter(({ method, path }) => method === "POST" && path.endsWith(end));
const refused = (words: string) => ({ status: 409, body: { message: expect.stringContaining(words) } });

async function givenCommunity(client: HttpClient): Promise<string> {
  const access = { visibility: "public", review_policy: "closed" };
  const body = { slug: `tides-${randomUUID()}`, metadata: { title: "Tides" }, access };
  return must(await client.post("/api/communities", body), 201).body.id;
}

const askFor = (client: HttpClient, draft: string, community: string) =>
  client.put(`${draftAt(draft)}/review`, { type: "community-submission", receiver: { community } });

type Submitted = Desk & { draft: string; request: string; grace: HttpClient };

/** Grace's draft, submitted to the community that ada curates. Ada has opened it. */
async function givenSubmitted(): Promise<Submitted> {
  let made = { draft: "", request: "" };
  const world = await givenDesk({}, async (ada, there) => {
    const community = await givenCommunity(ada);
    const grace = there.person("grace").client;
    const draft = await givenDraftThere(grace, "Tides");
    await addFile(grace, draft, "tides.csv", "hour,height");
    must(await askFor(grace, draft, community), 200);
    made = { draft, request: must(await grace.post(`${draftAt(draft)}/actions/submit-review`), 202).body.id };
  });
  return { ...world, ...made, grace: world.there.person("grace").client };
}

const open = async ({ desk, draft }: Submitted) => must(await desk.get(draftAt(draft)), 200);
const accept = ({ desk, request }: Submitted) => desk.post(`/api/requests/${request}/actions/accept`, say("Welcome"));

describe("accepting publishes what the curator saw", () => {
  test("an edit of a moment ago is there first (upstreams U1, U3)", async () => {
    const world = await givenSubmitted();
    await open(world);
    await editDraft(world.desk, world.draft, { title: "Corrected by the curator" });
    must(await accept(world), 200);
    expect((await world.ada.client.get(`/api/records/${world.draft}`)).body.metadata.title).toBe(
      "Corrected by the curator",
    );
    await settle(world);
    expect(await trayOf(world.desk)).toEqual([]);
  });

  test("an edit that the site has not taken yet refuses it (upstreams U1)", async (row) => {
    needsFake(row, "an error of the site");
    const world = await givenSubmitted();
    await open(world);
    fakeOf(world).switches.fault("refused-500", "PUT", /draft$/, 1_000);
    await editDraft(world.desk, world.draft, { title: "Corrected by the curator" });
    expect(await accept(world)).toMatchObject(refused("Not every change to this draft is on"));
    expect(posted(world, "/actions/accept")).toHaveLength(0);
  });

  test("what its author changed since is shown first (upstreams U1)", async () => {
    const world = await givenSubmitted();
    await open(world);
    await editDraft(world.grace, world.draft, { title: "Something entirely different" });
    expect(await accept(world)).toMatchObject(refused("was changed on"));
    expect(posted(world, "/actions/accept")).toHaveLength(0);
    expect((await open(world)).body.metadata.title).toBe("Something entirely different");
    must(await accept(world), 200);
  });

  test("a draft that was never on this computer is shown first (upstreams U1)", async () => {
    const world = await givenSubmitted();
    expect(await accept(world)).toMatchObject(refused("look at it, then decide"));
    expect(posted(world, "/actions/accept")).toHaveLength(0);
    expect((await open(world)).body.metadata.title).toBe("Tides");
    must(await accept(world), 200);
  });

  test("what changes in the second of the call is told (upstreams U1)", async (row) => {
    needsFake(row, "a draft that changes while it is being published");
    const world = await givenSubmitted();
    await open(world);
    const release = fakeOf(world).hold("POST", /actions\/accept$/);
    const accepted = accept(world);
    await until(() => posted(world, "/actions/accept").length === 1, "it was sent");
    Object.assign(fakeOf(world).state.drafts.get(world.draft)?.metadata ?? {}, { title: "Somebody else's" });
    release();
    expect(await accepted).toMatchObject(refused("Somebody changed it meanwhile: title"));
  });
});

describe("submitting for review hands on what the user saw", () => {
  /** Ada's draft, to be submitted to one of two communities of grace. */
  async function givenAsked() {
    let made = { draft: "", first: "", second: "" };
    const world = await givenDesk({}, async (ada, there) => {
      const grace = there.person("grace").client;
      const draft = await givenDraftThere(ada, "Tides");
      await addFile(ada, draft, "tides.csv", "hour,height");
      made = { draft, first: await givenCommunity(grace), second: await givenCommunity(grace) };
      must(await askFor(ada, draft, made.first), 200);
    });
    const submit = () => world.desk.post(`${draftAt(made.draft)}/actions/submit-review`, say("Please"));
    return { ...world, ...made, submit };
  }

  test("an edit of a moment ago is there first (upstreams U1, U3)", async () => {
    const world = await givenAsked();
    await editDraft(world.desk, world.draft, { title: "Tides, the corrected title" });
    must(await world.submit(), 202);
    expect((await world.ada.client.get(draftAt(world.draft))).body.metadata.title).toBe("Tides, the corrected title");
  });

  test("a community that was changed in the browser is shown first (upstreams U1)", async () => {
    const world = await givenAsked();
    must(await askFor(world.ada.client, world.draft, world.second), 200);
    expect(await world.submit()).toMatchObject(refused("was changed on"));
    expect(posted(world, "/submit-review")).toHaveLength(0);
    const shown = await world.desk.get(`${draftAt(world.draft)}/review`);
    expect(shown.body.receiver).toEqual({ community: world.second });
    must(await world.submit(), 202);
  });
});
