import { beforeAll, describe, expect, test } from "vitest";
import { collectionSets } from "../../server/harvest/collection-sets.ts";
import { harvestService } from "../../server/harvest/harvest.service.ts";
import { fillHarvestItems } from "../../server/harvest/harvest-job.ts";
import { oaiService } from "../../server/harvest/oai.service.ts";
import type { Db } from "../../shared/database/open.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { childOf, parseXml, within } from "../support/oai-harvester.ts";
import { givenRecord, metadata } from "../support/records.ts";
import { until } from "../support/until.ts";

const fixed = { slug: "fixed", title: "Fixed", query: "metadata.title:fixed", text: "" };
const settings = { site: { name: "Ocean", contact: "a@example.org" }, collections: [fixed] };
const whales = { slug: "whales", title: "Whales", query: "metadata.title:whale*", text: "Songs.", group: "curators" };

let api: Api;
let admin: HttpClient;
let carla: HttpClient;
let alice: HttpClient;
let whale: string;
let tide: string;
beforeAll(async () => {
  api = await startApi("server", { settings });
  [admin, carla, alice] = [await api.as("admin"), await api.as("carla"), await api.as("alice")];
  await admin.post("/api/groups", { name: "curators" });
  await admin.post(`/api/users/${await api.idOf("carla")}/groups`, { groups: ["curators"] });
  const titled = (title: string) => ({ metadata: { ...metadata, title }, files: { enabled: false } });
  whale = await givenRecord(alice, titled("Whale songs"));
  tide = await givenRecord(alice, titled("Tide gauges"));
});

/** Ids of the records in a set of OAI-PMH. */
async function idsIn(set: string): Promise<string[]> {
  const { text } = await api.anonymous.get(`/oai2d?verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`);
  return within(parseXml(text), "identifier").map((one) => one.text.split(":").at(-1) ?? "");
}
const page = async (client: HttpClient, path: string) => client.get(path, { headers: { accept: "text/html" } });

describe("collections kept by a group (web 15.8, issue 18)", () => {
  test("an administrator creates one; it has a page, a place on the first page and in the sitemap, and a set", async () => {
    const made = await admin.post("/api/collections", whales);
    expect([made.status, made.headers.get("etag")]).toEqual([201, '"1"']);
    expect(made.body).toMatchObject({
      ...{ id: "whales", title: "Whales", text: "Songs.", group: "curators", is_fixed: false, revision_id: 1 },
      permissions: { can_update: true, can_delete: true },
    });
    for (const path of ["/", "/collections", "/sitemaps/pages.xml"])
      expect((await page(api.anonymous, path)).text, path).toContain("/collections/whales");
    expect((await page(api.anonymous, "/collections/whales")).text).toContain("Whale songs");
    await until(async () => (await idsIn("collection:whales")).length === 1);
    expect(await idsIn("collection:whales")).toEqual([whale]);
    const sets = within(parseXml((await api.anonymous.get("/oai2d?verb=ListSets")).text), "set");
    expect(sets.map((set) => childOf(set, "setSpec")?.text)).toEqual(
      expect.arrayContaining(["collection:fixed", "collection:whales"]),
    );
  });

  test("members of its group edit it, with If-Match; records are judged by the new query, before and after a publication", async () => {
    const { group: _group, slug: _slug, ...text } = whales;
    const change = { ...text, title: "Tides", query: "metadata.title:tide*" };
    const stale = await carla.put("/api/collections/whales", change, { headers: { "if-match": "9" } });
    expect(stale.status).toBe(412);
    const changed = await carla.put("/api/collections/whales", change, { headers: { "if-match": '"1"' } });
    expect([changed.status, changed.body.revision_id, changed.body.title]).toEqual([200, 2, "Tides"]);
    expect((await page(api.anonymous, "/collections/whales")).text).toContain("Tide gauges");
    await until(async () => (await idsIn("collection:whales"))[0] === tide);
    expect(await idsIn("collection:whales")).toEqual([tide]);
    const later = await givenRecord(alice, {
      metadata: { ...metadata, title: "Tides of 2026" },
      files: { enabled: false },
    });
    expect(await idsIn("collection:whales")).toEqual([tide, later]);
  });

  test("others read it and cannot change it; only who edits it sees the group and the way to the app", async () => {
    const change = { title: "Mine", query: "*" };
    for (const client of [alice, api.anonymous])
      expect((await client.put("/api/collections/whales", change)).status).toBe(403);
    for (const client of [alice, carla]) {
      expect((await client.delete("/api/collections/whales")).status).toBe(403);
      expect((await client.post("/api/collections", { ...whales, slug: "mine" })).status).toBe(403);
    }
    const give = { ...change, group: "superuser-access" };
    expect((await carla.put("/api/collections/whales", give)).status).toBe(403);
    const [hers, his] = [await carla.get("/api/collections/whales"), await alice.get("/api/collections/whales")];
    expect([hers.body.group, hers.body.permissions]).toEqual(["curators", { can_update: true, can_delete: false }]);
    expect([his.body.group, his.body.permissions]).toEqual([undefined, { can_update: false, can_delete: false }]);
    expect((await page(api.anonymous, "/collections/whales")).text).not.toContain("/me/collections");
    expect((await alice.get("/api/collections")).body.hits.hits.map(({ id }: { id: string }) => id)).toEqual([
      "fixed",
      "whales",
    ]);
  });

  test("wrong bodies are refused with the field: address, title, query, group", async () => {
    const refused = async (change: object) => {
      const { status, body } = await admin.post("/api/collections", { ...whales, slug: "new", ...change });
      return [status, body.errors?.map(({ field }: { field: string }) => field)];
    };
    for (const slug of ["whales", "fixed", "A b", "", "../x"]) expect(await refused({ slug })).toEqual([400, ["slug"]]);
    for (const title of ["", "\u200e", "\u00ad", "x".repeat(201)])
      expect(await refused({ title })).toEqual([400, ["title"]]);
    for (const query of ["created:blue", "", "x".repeat(2001), "a ".repeat(201)])
      expect(await refused({ query })).toEqual([400, ["query"]]);
    for (const group of ["nobody", ""]) expect(await refused({ group })).toEqual([400, ["group"]]);
    const { headers } = await admin.post("/api/collections", { ...whales, slug: "new", query: "created:blue" });
    expect(headers.get("query-problem")).toBe("created;expected=time");
    const made = await admin.post("/api/collections", { ...whales, slug: "lines", title: "A\nB \r\n C" });
    expect(made.body.title).toBe("A B C");
    await admin.delete("/api/collections/lines");
    expect((await admin.put("/api/collections/fixed", { title: "x", query: "*" })).status).toBe(403);
    expect((await admin.put("/api/collections/none", { title: "x", query: "*" })).status).toBe(404);
  });

  test("a group that is deleted leaves its collection; a new group of that name does not get it", async () => {
    await admin.post("/api/groups", { name: "passing" });
    await admin.post("/api/collections", { ...whales, slug: "left", group: "passing" });
    await admin.delete("/api/groups/passing");
    await admin.post("/api/groups", { name: "passing" });
    await admin.post(`/api/users/${await api.idOf("alice")}/groups`, { groups: ["passing"] });
    expect((await alice.put("/api/collections/left", { title: "Mine", query: "*" })).status).toBe(403);
    const { body } = await admin.get("/api/collections/left");
    expect([body.group, body.revision_id]).toEqual([null, 2]);
    const given = await admin.put("/api/collections/left", { title: "Left", query: "tide*", group: "passing" });
    expect([given.status, given.body.group]).toEqual([200, "passing"]);
    expect((await admin.delete("/api/collections/left")).status).toBe(204);
    expect((await page(api.anonymous, "/collections/left")).status).toBe(404);
  });

  test("a query that cannot be searched any more hides no page and stops no publication", async () => {
    const { db } = api.server.host;
    await admin.post("/api/collections", { ...whales, slug: "stale" });
    await db.updateTable("collection").set({ query: "created:blue" }).where("slug", "=", "stale").execute();
    await givenRecord(alice);
    const { status, text } = await page(api.anonymous, "/collections/stale");
    expect([status, text.includes("No records yet.")]).toEqual([200, true]);
    await admin.delete("/api/collections/stale");
  });

  test("the audit log tells who changed it, and which group got it", async () => {
    const { body } = await admin.get("/api/audit-logs?action=collection.update");
    const { body: made } = await admin.get("/api/audit-logs?action=collection.create&size=100");
    expect(body.hits.hits.map((entry: { resource: object }) => entry.resource)).toContainEqual(
      expect.objectContaining({ type: "collection", id: "whales" }),
    );
    expect(made.hits.hits.at(-1)).toMatchObject({
      resource: { id: "whales" },
      metadata: { details: { group: "curators" } },
    });
  });

  test("a collection that the settings hide by one of the same address can be deleted by an administrator", async () => {
    const { db } = api.server.host;
    const times = { created: 1, updated: 1, revision_id: 1 };
    const row = { slug: "fixed", group_name: "curators", title: "Hidden", query: "*", text: "", ...times };
    await db.insertInto("collection").values(row).execute();
    expect((await carla.put("/api/collections/fixed", { title: "Mine", query: "*" })).status).toBe(403);
    expect((await carla.delete("/api/collections/fixed")).status).toBe(403);
    expect((await admin.delete("/api/collections/fixed")).status).toBe(204);
    expect((await admin.get("/api/collections/fixed")).body.title).toBe("Fixed");
    expect((await admin.delete("/api/collections/fixed")).status).toBe(403);
  });

  test("a judging that was stopped, and a query that was then put back, leave no record in a wrong set", async () => {
    const { host } = api.server;
    const sets = collectionSets(host.settings, host.now);
    const stored = () =>
      host.db.selectFrom("harvest_item").select(["record_id", "sets"]).orderBy("record_id").execute();
    const setQuery = (query: string) =>
      host.db.updateTable("collection").set({ query }).where("slug", "=", "whales").execute();
    const { query } = (await admin.get("/api/collections/whales")).body;
    await fillHarvestItems(host, sets);
    const before = await stored();
    await setQuery("nothing");
    const stopping = new AbortController();
    let judged = 0;
    const stopped = {
      ...sets,
      ofFamily: (db: Db, id: string) => {
        judged += 1;
        stopping.abort();
        // The transaction ends after some milliseconds, here after its first family.
        const end = performance.now() + 20;
        while (performance.now() < end);
        return sets.ofFamily(db, id);
      },
    };
    await fillHarvestItems(host, stopped, stopping.signal);
    expect(judged).toBe(1);
    await setQuery(query);
    await fillHarvestItems(host, sets);
    expect(await stored()).toEqual(before);
  });

  test("the first page shows six, and the way to all", async () => {
    for (let n = 0; n < 6; n++) await admin.post("/api/collections", { ...whales, slug: `more-${n}` });
    const { text } = await page(api.anonymous, "/");
    expect([text.match(/\/collections\/[a-z]/g)?.length, text.includes("All 8 collections")]).toEqual([6, true]);
    const long = await admin.put("/api/collections/more-0", { ...whales, text: `${"word ".repeat(100)}end` });
    expect(long.status).toBe(200);
    expect((await page(api.anonymous, "/collections")).text).toMatch(/word …<\/p>/);
  });

  test("a token of a list ends when the query of its set changes, and no other token does", async () => {
    const { host } = api.server;
    const pageSizes = { ListRecords: 1, ListIdentifiers: 1 };
    const oai = oaiService({ host, harvest: harvestService(host), secret: new Uint8Array(32), pageSizes });
    const list = async (given: Record<string, string>) =>
      parseXml(await oai.answer(new URLSearchParams({ verb: "ListIdentifiers", ...given })));
    const tokenOf = async (set: string) =>
      within(await list({ metadataPrefix: "oai_dc", set }), "resumptionToken")[0]?.text ?? "";
    const [ofWhales, ofAll] = [await tokenOf("collection:whales"), await tokenOf("latest")];
    await carla.put("/api/collections/whales", { title: "Tides", query: "metadata.title:(tide* OR whale*)" });
    const codeOf = async (resumptionToken: string) =>
      within(await list({ resumptionToken }), "error")[0]?.attributes.code;
    expect([await codeOf(ofWhales), await codeOf(ofAll)]).toEqual(["badResumptionToken", undefined]);
  });
});
