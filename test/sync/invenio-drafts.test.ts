import { describe, expect, test } from "vitest";
import { deskProfiles, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import {
  type Desk,
  draftAt,
  editDraft,
  givenDesk,
  givenDraftThere,
  givenRecordThere,
  ownThere as mine,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const titled = (title: string) => ({ metadata: { ...complete.metadata, title }, files: { enabled: true } });
const titleOf = async (client: HttpClient, id: string) => (await client.get(draftAt(id))).body.metadata?.title;

/** The id under which the site has what was made here. */
const newIdOf = async ({ desk }: Desk, id: string): Promise<string> => {
  const { headers, body } = await desk.get(draftAt(id));
  return headers.get("location")?.split("/")[5] ?? headers.get("location")?.split("/")[3] ?? body.id;
};

describe.each(deskProfiles)("drafts of a replica on %s", (profile) => {
  test("a draft made offline gets the site's id; the old id leads there; edits and a discard follow (issue 20.3, upstreams F18)", async () => {
    const world = await givenDesk({ profile });
    const { desk, ada } = world;
    await pause(desk);
    const local = must(await desk.post("/api/records", titled("Made offline")), 201).body.id;
    await editDraft(desk, local, { title: "Made offline, edited" });
    await desk.post("/api/sync/resume");
    await settle(world);
    const [there, ...others] = await mine(world);
    expect(others).toEqual([]);
    expect(there.metadata).toMatchObject({ title: "Made offline, edited" });
    expect(there.metadata.version).toBeUndefined();
    const id = String(there.id);
    expect(id).not.toBe(local);
    expect(await newIdOf(world, local)).toBe(id);
    expect((await desk.get("/api/user/records")).body.hits.hits).toMatchObject([{ id }]);

    await editDraft(desk, id, { title: "Edited under the new id" });
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Edited under the new id");
    expect((await desk.delete(draftAt(id))).status).toBe(204);
    await settle(world);
    expect(await mine(world)).toEqual([]);
    expect(await trayOf(desk)).toEqual([]);
  });
});

describe("drafts of a replica on an InvenioRDM", () => {
  test("several edits become one call, with the revision as a bare number (upstreams F1, issue 20.3)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, there, ada } = world;
    for (const title of ["One", "Two", "Three"]) await editDraft(desk, id, { title });
    await settle(world);
    const puts = there.site.calls.filter(
      ({ method, headers }) => method === "PUT" && headers["user-agent"]?.startsWith("Carrel/"),
    );
    expect(puts).toMatchObject([{ status: 200, headers: { "if-match": expect.stringMatching(/^\d+$/) } }]);
    expect(await titleOf(ada.client, id)).toBe("Three");
  });

  test("what was changed in the browser meanwhile is merged; a value that both changed is a conflict (upstreams 2.5)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada } = world;
    await pause(desk);
    await editDraft(desk, id, { title: "Of the desk", publisher: "Desk press" });
    await editDraft(ada.client, id, { title: "Of the browser", description: "<p>Written in the browser</p>" });
    await desk.post("/api/sync/resume");
    await settle(world);
    const { metadata } = (await ada.client.get(draftAt(id))).body;
    expect(metadata).toMatchObject({ publisher: "Desk press", description: "<p>Written in the browser</p>" });
    expect((await desk.get(draftAt(id))).body.metadata).toMatchObject(metadata);
    const { conflicts } = (await desk.get("/api/sync/status")).body;
    expect(conflicts === 1 || /desk/.test(metadata.title)).toBe(true);
  });

  test("a value that the site does not store stays here as typed, is sent again, and is told (upstreams F4, E2)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Whole title");
    });
    const { desk, ada } = world;
    await editDraft(desk, id, { title: "ab", publisher: "A press" });
    await settle(world);
    expect((await ada.client.get(draftAt(id))).body.metadata).toMatchObject({ publisher: "A press" });
    expect(await titleOf(ada.client, id)).toBeUndefined();
    await editDraft(desk, id, { title: "abc" });
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("abc");
    expect(await titleOf(desk, id)).toBe("abc");
    // A stock site has no custom fields.
    const { body } = await desk.get(draftAt(id));
    const custom_fields = { "imprint:imprint": { title: "Tides" } };
    must(await desk.put(draftAt(id), { ...body, custom_fields }), 200);
    await settle(world);
    expect((await desk.get(draftAt(id))).body).toMatchObject({
      custom_fields,
      sync: {
        state: "conflict",
        not_taken: [{ field: "custom_fields.imprint:imprint", messages: ["Unknown field."] }],
      },
    });
    expect((await desk.get("/api/sync/status")).body).toMatchObject({
      ...{ state: "needs_you", conflicts: 1 },
      upstream: { not_taken: [{ id, title: "abc", count: 1 }] },
    });
  });

  test("the answer is the base: cleaned texts and recomputed names come back, and are not sent again (upstreams F6, E1)", async () => {
    const world = await givenDesk();
    const { desk, there } = world;
    must(await desk.post("/api/records", titled("  Tides of “the” North Sea  ")), 201);
    await settle(world);
    const [made] = await mine(world);
    const writes = () => there.site.calls.filter(({ method }) => method !== "GET").length;
    const before = writes();
    expect(await titleOf(desk, String(made.id))).toBe(made.metadata.title);
    await settle(world);
    expect(writes()).toBe(before);
  });

  test("a refusal of a whole save counts the second time; the wrong edit goes to the tray, the others stand (upstreams F5)", async (row) => {
    needsFake(row, "records that may not be restricted, as on Zenodo");
    let id = "";
    const world = await givenDesk({ profile: "zenodo" }, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada } = world;
    await editDraft(desk, id, { title: "Fine" });
    const { body } = await desk.get(draftAt(id));
    must(await desk.put(draftAt(id), { ...body, access: { record: "restricted", files: "restricted" } }), 200);
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Fine");
    expect(await trayOf(desk)).toMatchObject([
      { kind: "draft.edit", reason: expect.stringContaining("Restricted records are not allowed") },
    ]);
  });

  test("an edit without an answer is saved again, and changes nothing twice (issue 20.3)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, there, ada } = world;
    there.site.switches.fault("lost-after", "PUT", /\/draft$/);
    await editDraft(desk, id, { title: "After" });
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("After");
    expect(await titleOf(desk, id)).toBe("After");
    expect((await desk.get("/api/sync/status")).body.conflicts).toBe(0);
  });

  test("the next version and the edit of a record begin offline (issue 20.3, upstreams F8)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenRecordThere(ada, "Published");
    });
    const { desk, ada } = world;
    await pause(desk);
    must(await desk.post(draftAt(id)), 201);
    await editDraft(desk, id, { title: "Published, corrected" });
    const next = must(await desk.post(`/api/records/${id}/versions`), 201).body.id;
    await editDraft(desk, next, { title: "Next version", publication_date: "2026-06-01" });
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Published, corrected");
    const there = await newIdOf(world, next);
    expect((await ada.client.get(draftAt(there))).body).toMatchObject({
      metadata: { title: "Next version", publication_date: "2026-06-01" },
      versions: { index: 2 },
    });
    expect(await titleOf(desk, there)).toBe("Next version");
    expect(await trayOf(desk)).toEqual([]);
  });

  test("a draft changed in the browser is not discarded from here (upstreams 3, draft.discard)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada } = world;
    await pause(desk);
    await desk.delete(draftAt(id));
    await editDraft(ada.client, id, { title: "Changed in the browser" });
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Changed in the browser");
    expect(await trayOf(desk)).toMatchObject([{ kind: "draft.discard" }]);
  });

  test("not even where the change was heard before the wish could be sent; wished again, it is (upstreams 3, draft.discard)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada, there } = world;
    there.site.switches.fault("lost-before", "DELETE", /draft$/);
    await desk.delete(draftAt(id));
    await until(() => there.site.calls.some(({ method }) => method === "DELETE"), "the first try was lost");
    await editDraft(ada.client, id, { title: "Changed in the browser" });
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Changed in the browser");
    const [refused] = await trayOf(desk);
    expect(refused).toMatchObject({ kind: "draft.discard", reason: expect.stringContaining("changed on") });
    must(await desk.post(`/api/sync/tray/${refused.id}/retry`), 200, 202);
    await settle(world);
    expect((await ada.client.get(draftAt(id))).status).toBe(404);
  });

  test("work made with a dead token waits; nothing goes to the tray (upstreams F14, U7)", async () => {
    const world = await givenDesk();
    const { desk, there, ada, advance } = world;
    await there.site.revoke(ada.token);
    must(await desk.post("/api/records", titled("Made while signed out")), 201);
    await until(async () => {
      advance(10);
      await desk.post("/api/sync/run");
      return (await desk.get("/api/sync/status")).body.state === "sign_in";
    }, "the user is asked");
    expect(await trayOf(desk)).toEqual([]);
    must(await desk.post("/api/sync/connect", { server: there.url, token: there.person("ada").token }), 200);
    await settle(world, 60);
    expect(await mine({ ...world, ada: there.person("ada") })).toMatchObject([
      { metadata: { title: "Made while signed out" } },
    ]);
  });
});
