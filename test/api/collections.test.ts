import { beforeAll, describe, expect, test } from "vitest";
import { collectionSets } from "../../server/harvest/collection-sets.ts";
import { fillHarvestItems } from "../../server/harvest/harvest-job.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { childOf, parseXml, within } from "../support/oai-harvester.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const whales = {
  slug: "whales",
  title: "Whales & dolphins",
  query: "metadata.title:(whale* OR dolphin*)",
  text: "Songs.",
};
const secretFile = { slug: "cores", title: "Cores", query: "files.entries.key:core.csv", text: "" };
const collections = [whales, secretFile];
const settings = { site: { name: "Ocean", contact: "a@example.org" }, collections };

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server", { settings });
  alice = await api.as("alice");
});

const titled = (title: string) => ({ metadata: { ...metadata, title }, files: { enabled: false } });
const idsIn = async (set: string): Promise<string[]> => {
  const { text } = await api.anonymous.get(`/oai2d?verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`);
  return within(parseXml(text), "identifier").map((one) => one.text.split(":").at(-1) ?? "");
};

describe("collections of the operator (web 3, 8, 17, issue 18)", () => {
  test("are sets of OAI-PMH, which follow the record and stay with a deleted one", async () => {
    const inside = await givenRecord(alice, titled("Whale songs"));
    const other = await givenRecord(alice, titled("Tide gauges"));
    expect(await idsIn("collection:whales")).toEqual([inside]);
    await alice.post(`/api/records/${other}/draft`);
    await alice.put(`/api/records/${other}/draft`, titled("Dolphin paths"));
    await publish(alice, other);
    expect(await idsIn("collection:whales")).toEqual([inside, other]);
    await (await api.as("admin")).delete(`/api/records/${inside}/delete`, {});
    expect(await idsIn("collection:whales")).toEqual([other, inside]);
    const sets = within(parseXml((await api.anonymous.get("/oai2d?verb=ListSets")).text), "set");
    const names = sets.map((set) => [childOf(set, "setSpec")?.text, childOf(set, "setName")?.text]);
    expect(names).toEqual(
      expect.arrayContaining([
        ["collection:whales", "Whales & dolphins"],
        ["collection:cores", "Cores"],
      ]),
    );
  });

  test("names of restricted files put no record into a collection", async () => {
    const of = async (access: object) => {
      const id = await givenDraft(alice, { metadata, access });
      await addFile(alice, id, "core.csv", "x");
      await publish(alice, id);
      return id;
    };
    const open = await of({ record: "public", files: "public" });
    await of({ record: "public", files: "restricted" });
    expect(await idsIn("collection:cores")).toEqual([open]);
  });

  test("have pages with text, records and feed, and stand on the first page and in the sitemap", async () => {
    const { text } = await api.anonymous.get("/collections/whales", { headers: { accept: "text/html" } });
    expect(text).toContain("<h1>Whales &amp; dolphins</h1><p>Songs.</p>");
    expect(text).toContain("Dolphin paths");
    const [, feed = ""] = /href="([^"]*search\.atom\?q=[^"]*)"/.exec(text) ?? [];
    expect((await api.anonymous.get(feed)).text).toContain("Dolphin paths");
    for (const path of ["/", "/collections"])
      expect((await api.anonymous.get(path, { headers: { accept: "text/html" } })).text).toContain(
        '/collections/whales"',
      );
    expect((await api.anonymous.get("/sitemaps/pages.xml")).text).toContain("/collections/whales<");
    expect((await api.anonymous.get("/collections/none")).status).toBe(404);
  });

  test("changed collections are judged again, and items that are the same do not move", async () => {
    const { host } = api.server;
    const stored = () => host.db.selectFrom("harvest_item").selectAll().where("sets", "like", "%latest%").execute();
    const before = await stored();
    const tides = { slug: "tides", title: "Tides", query: "metadata.title:dolphin*", text: "" };
    await fillHarvestItems(host, collectionSets({ ...host.settings, collections: [...collections, tides] }, host.now));
    const [moved = []] = [(await stored()).filter((item) => !before.some(({ changed }) => changed === item.changed))];
    expect(moved.map(({ sets }) => sets.split(" ").includes("collection:tides"))).toEqual([true]);
  });

  test("wrong settings are refused with the name of the collection", () => {
    const { now } = machineEnvironment();
    const wrong = settingsSchema.parse({ collections: [{ ...whales, query: "created:blue" }] });
    expect(() => collectionSets(wrong, now)).toThrow("The query of the collection 'whales' is wrong");
    for (const bad of [[whales, whales], [{ ...whales, slug: "A b" }], [{ ...whales, query: " " }]])
      expect(settingsSchema.safeParse({ collections: bad }).success).toBe(false);
  });
});
