import { describe, expect, test } from "vitest";
import { must } from "../support/files.ts";
import { givenDesk, givenDraftThere } from "../support/invenio-desk.ts";
import { pause } from "../support/two-replicas.ts";

async function givenShared() {
  let id = "";
  let grace = "";
  const world = await givenDesk({}, async (ada, there) => {
    grace = there.person("grace").id;
    id = await givenDraftThere(ada, "Shared");
  });
  const sent = (method: string) =>
    world.there.site.calls.filter((call) => call.method === method && call.path.includes("/access/"));
  return { ...world, id, grace, access: `/api/records/${id}/access`, sent };
}

describe("sharing on an InvenioRDM", () => {
  test("a link is made, changed and revoked there; its token is theirs (issue 20, step 7)", async () => {
    const { desk, ada, access } = await givenShared();
    const link = { permission: "view", description: "For a reader", expires_at: "2100-01-01" };
    const { body } = must(await desk.post(`${access}/links`, link), 201);
    expect((await desk.get(`${access}/links`)).body.hits.hits).toMatchObject([{ id: body.id, token: body.token }]);
    expect((await ada.client.get(`${access}/links`)).body.hits.hits).toMatchObject([{ token: body.token }]);
    must(await desk.patch(`${access}/links/${body.id}`, { permission: "edit" }), 200);
    expect((await desk.get(`${access}/links`)).body.hits.hits).toMatchObject([{ permission: "edit" }]);
    must(await desk.delete(`${access}/links/${body.id}`), 204);
    expect((await desk.get(`${access}/links`)).body.hits.hits).toEqual([]);
  });

  test("a link whose answer was lost is not made twice; the list shows it (issue 20, step 7)", async () => {
    const { desk, there, access, sent } = await givenShared();
    there.site.switches.fault("lost-after", "POST", /links$/);
    const lost = await desk.post(`${access}/links`, { permission: "view" });
    expect(lost).toMatchObject({ status: 503, body: { message: expect.stringContaining("did not say") } });
    expect(sent("POST")).toHaveLength(1);
    expect((await desk.get(`${access}/links`)).body.hits.hits).toHaveLength(1);
  });

  test("grants are changed by their subject, never by their place in a list (issue 20, step 7; upstreams F18)", async () => {
    const { desk, access, sent, grace } = await givenShared();
    const grants = { grants: [{ permission: "view", subject: { type: "user", id: grace } }] };
    must(await desk.post(`${access}/grants`, grants), 201);
    must(await desk.patch(`${access}/users/${grace}`, { permission: "edit" }), 200);
    expect((await desk.get(`${access}/grants`)).body.hits.hits).toMatchObject([
      { subject: { type: "user", id: grace }, permission: "edit" },
    ]);
    expect((await desk.delete(`${access}/grants/0`)).status).toBe(503);
    expect(sent("DELETE")).toHaveLength(0);
    must(await desk.delete(`${access}/users/${grace}`), 204);
    expect((await desk.get(`${access}/grants`)).body.hits.hits).toEqual([]);
  });

  test("a refusal keeps the server's words (issue 20, step 7)", async () => {
    const { desk, access } = await givenShared();
    const grants = { grants: [{ permission: "view", subject: { type: "user", id: "999999" } }] };
    expect(await desk.post(`${access}/grants`, grants)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "subject.id", messages: ["Could not find the specified subject."] }] },
    });
  });

  test("without the server nothing is queued, and no link is shown that is not theirs (issue 20, step 7)", async () => {
    const { desk, access, sent } = await givenShared();
    await pause(desk);
    expect((await desk.post(`${access}/links`, { permission: "view" })).status).toBe(503);
    expect((await desk.get(`${access}/links`)).status).toBe(503);
    await desk.post("/api/sync/resume");
    expect((await desk.get("/api/sync/operations")).body.hits.total).toBe(0);
    expect(sent("POST")).toHaveLength(0);
  });
});
