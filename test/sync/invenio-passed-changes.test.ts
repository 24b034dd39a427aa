import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { must } from "../support/files.ts";
import { type Desk, draftAt, editDraft, givenDesk, givenDraftThere } from "../support/invenio-desk.ts";
import { pause } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

async function givenDraft(): Promise<Desk & { id: string; doi: string; links: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "Tides");
  });
  return { ...world, id, doi: `${draftAt(id)}/pids/doi`, links: `/api/records/${id}/access/links` };
}
const sent = ({ there }: Desk, method: string, path: RegExp) =>
  there.site.calls.filter((call) => call.method === method && path.test(call.path));
const view = { permission: "view" };

describe("changes that are made at once on an InvenioRDM", () => {
  test("one that is done counts as done, though the look after it fails (upstreams 2.3)", async (row) => {
    needsFake(row, "a contract with DataCite");
    const world = await givenDraft();
    const { desk, ada, there, id, doi } = world;
    there.site.switches.fault("html-502", "GET", new RegExp(`${id}/draft$`));
    must(await desk.post(doi), 201);
    expect((await ada.client.get(draftAt(id))).body.pids.doi).toBeDefined();
  });

  test("a portal's page is no answer, whatever its status (upstreams 2.3)", async () => {
    const world = await givenDraft();
    const { desk, there, links } = world;
    for (const kind of ["html-200", "html-302", "html-404"] as const) {
      there.site.switches.fault(kind, "POST", /links$/);
      const answer = await desk.post(links, view);
      expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining("did not say") } });
    }
    must(await desk.post(links, view), 201);
    expect((await desk.get(links)).body.hits.hits).toHaveLength(1);
  });

  test("without an answer and without a look nothing is said to be there (upstreams 2.3)", async (row) => {
    needsFake(row, "a contract with DataCite");
    const world = await givenDraft();
    const { desk, there, id, doi } = world;
    there.site.switches.fault("lost-after", "POST", /doi$/);
    there.site.switches.fault("html-502", "GET", new RegExp(`${id}/draft$`));
    const answer = await desk.post(doi);
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining("cannot be asked now") } });
    expect(sent(world, "POST", /doi$/)).toHaveLength(1);
  });

  test("no edit is sent while one of the same draft is under way (upstreams F24)", async (row) => {
    needsFake(row, "a call that is held up");
    const world = await givenDraft();
    const { desk, id, doi, advance } = world;
    const release = fakeOf(world).hold("POST", /doi$/);
    const reserved = desk.post(doi);
    await until(() => sent(world, "POST", /doi$/).length === 1, "it was sent");
    await editDraft(desk, id, { title: "Tides and floods" });
    advance(12);
    const flushed = world.replica.engine.flush();
    await until(async () => (await desk.get("/api/sync/status")).body.sending === 1, "the edit is being sent");
    expect(sent(world, "PUT", /draft$/)).toHaveLength(0);
    release();
    must(await reserved, 201);
    await flushed;
    expect(sent(world, "PUT", /draft$/)).toHaveLength(1);
  });

  test.for([
    ["a link", (id: string) => `/api/records/${id}/access/links`],
    ["a DOI", (id: string) => `${draftAt(id)}/pids/doi`],
  ] as const)(
    "%s can be made right after the draft, by the id that it had here (upstreams F18)",
    async ([what, at], row) => {
      if (what === "a DOI") needsFake(row, "a contract with DataCite");
      const { desk } = await givenDesk();
      const body = { metadata: { ...complete.metadata, title: "New" }, files: { enabled: true } };
      const { id } = must(await desk.post("/api/records", body), 201).body;
      const answer = await desk.post(at(id), view);
      // If it is there already, its new address is named.
      const { pathname } = new URL(answer.headers.get("location") ?? "", desk.url);
      must(answer.status === 308 ? await desk.post(pathname, view) : answer, 201);
    },
  );

  test("of a draft that the site does not have yet, one is refused in plain words (upstreams F18)", async () => {
    const { desk, there } = await givenDesk();
    await pause(desk);
    const body = { metadata: { ...complete.metadata, title: "New" }, files: { enabled: true } };
    const { id } = must(await desk.post("/api/records", body), 201).body;
    there.site.switches.fault("refused-500", "POST", /records$/, 100);
    await desk.post("/api/sync/resume");
    await until(async () => (await desk.get("/api/sync/status")).body.online === true, "online");
    const answer = await desk.post(`/api/records/${id}/access/links`, view);
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining("is not on") } });
  });
});
