import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchJson, isInnerAddress } from "../../shared/lookup/fetch-json.ts";
import { defaultSettings, settingsSchema } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { until } from "../support/until.ts";

const carberry = {
  person: { name: { "given-names": { value: "Josiah" }, "family-name": { value: "Carberry" } } },
  "activities-summary": {
    employments: {
      "affiliation-group": [
        { summaries: [{ "employment-summary": { organization: { name: "Brown" }, "end-date": null } }] },
        { summaries: [{ "employment-summary": { organization: { name: "Before" }, "end-date": {} } }] },
      ],
    },
  },
};
const cern = {
  names: [{ value: "CERN", types: ["ror_display"] }],
  locations: [{ geonames_details: { country_name: "Switzerland" } }],
};
const kelp = { type: "article-journal", title: "Kelp", DOI: "10.5072/known" };

/** A service on the loopback that knows a few identifiers and misbehaves for others. */
const asked: string[] = [];
const held: ServerResponse[] = [];
const service = createServer((req: IncomingMessage, res: ServerResponse) => {
  const path = decodeURIComponent(req.url ?? "");
  asked.push(path);
  const id = /(10\.5072\/\w+|0000-0002-1825-0097|01ggx4157)/.exec(path)?.[1] ?? "";
  const body = { "10.5072/known": kelp, "0000-0002-1825-0097": carberry, "01ggx4157": cern }[id];
  const leads = { "10.5072/moved": "/doi/10.5072/known", "10.5072/away": "http://example.org/" }[id];
  if (body) res.end(JSON.stringify(body));
  else if (id === "10.5072/slow") held.push(res);
  else if (leads) res.writeHead(302, { location: leads }).end();
  else if (id === "10.5072/large") res.end(`["${"x".repeat(2_000_000)}"]`);
  else if (id === "10.5072/broken") res.end("<html>");
  else res.writeHead(404).end();
});
let at: string;
beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  at = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const services = () => ({
  doi: [`${at}/doi/{id}`],
  orcid: [`${at}/orcid/{id}/record`],
  ror: [`${at}/ror/{id}`],
  private_hosts: ["127.0.0.1"],
});
const find = async (api: Api, kind: string, id: string) =>
  (await api.as("alice")).get(`/api/lookup/${kind}?id=${encodeURIComponent(id)}`);

describe.each(["server", "replica"] as const)("look-up through the server, on the %s (app, missing 1)", (role) => {
  test("a DOI, an ORCID iD and a ROR id are found; redirects stay on their host", async () => {
    const api = await startApi(role, { settings: { lookup: services() } });
    expect((await (await api.as("alice")).get("/api/lookup")).body).toEqual({ kinds: ["doi", "orcid", "ror"] });
    for (const id of [
      "10.5072/known",
      "https://doi.org/10.5072/known",
      "https://doi.org/10.5072%2Fknown",
      "10.5072/moved",
    ])
      expect((await find(api, "doi", id)).body).toMatchObject({ kind: "doi", found: { title: "Kelp" } });
    expect((await find(api, "orcid", "https://orcid.org/0000-0002-1825-0097")).body.found).toEqual({
      orcid: "0000-0002-1825-0097",
      family_name: "Carberry",
      given_name: "Josiah",
      affiliations: ["Brown"],
    });
    expect((await find(api, "ror", "https://ror.org/01ggx4157")).body.found).toEqual({
      ror: "01ggx4157",
      name: "CERN",
      country: "Switzerland",
    });
    expect((await find(api, "doi", "10.5072/nothing")).status).toBe(404);
    for (const [id, words] of [
      ["10.5072/away", /leads to another host/],
      ["10.5072/large", /too large/],
      ["10.5072/broken", /did not answer JSON/],
    ] as const)
      expect(await find(api, "doi", id)).toMatchObject({
        status: 503,
        body: { message: expect.stringMatching(words) },
      });
  });

  test("what is no identifier reaches no service; without services there is nothing to find", async () => {
    const api = await startApi(role, { settings: { lookup: services() } });
    const before = asked.length;
    for (const [kind, id] of [
      ["doi", "10.5072/../../admin"],
      ["doi", "10.5072%2F..%2F..%2Fadmin"],
      ["doi", "http://127.0.0.1/"],
      ["orcid", "0000-0002-1825-0098"],
      ["ror", "../x"],
    ] as const)
      expect((await find(api, kind, id)).status, id).toBe(400);
    expect((await find(api, "people", "x")).status).toBe(404);
    expect(asked.length).toBe(before);
    const none = await startApi(role);
    expect((await (await none.as("alice")).get("/api/lookup")).body).toEqual({ kinds: [] });
    expect((await find(none, "doi", "10.5072/known")).status).toBe(404);
  });
});

test("one user holds two of the look-ups under way, so others still find theirs (security 8)", async () => {
  const api = await startApi("server", { settings: { lookup: services() } });
  const [alice, bob] = [await api.atOneProcess("alice"), await api.atOneProcess("bob")];
  const one = (client: HttpClient, id: string) => client.get(`/api/lookup/doi?id=10.5072/${id}`);
  const slow = [one(alice, "slow"), one(alice, "slow")];
  await until(() => held.length === 2, "both are under way");
  expect((await one(alice, "known")).status).toBe(503);
  expect((await one(bob, "known")).status).toBe(200);
  for (const answer of held) answer.writeHead(404).end();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([404, 404]);
  expect((await one(alice, "known")).status).toBe(200);
});

describe("what the server fetches (app, missing 1)", () => {
  const limits = { timeoutMs: 5000, maxBytes: 1000, privateHosts: [] };

  test("inner addresses are refused, by number and by name", async () => {
    for (const address of ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1", "fd00::1"])
      expect(isInnerAddress(address), address).toBe(true);
    for (const address of ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
      expect(isInnerAddress(address), address).toBe(false);
    const before = asked.length;
    await expect(fetchJson(`${at}/doi/10.5072/known`, "*/*", limits)).rejects.toThrow("not a public address");
    const byName = `${at.replace("127.0.0.1", "localhost")}/doi/10.5072/known`;
    await expect(fetchJson(byName, "*/*", limits)).rejects.toThrow("no public address");
    expect(asked.length).toBe(before);
  });

  test("a silent service is given up", async () => {
    const silent = createServer(() => undefined);
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const patience = { ...limits, timeoutMs: 50, privateHosts: ["127.0.0.1"] };
    await expect(fetchJson(url, "*/*", patience)).rejects.toThrow("did not answer in time");
    silent.closeAllConnections();
    silent.close();
  });

  test("no service is named by default, and an address that could lead elsewhere is refused", () => {
    expect(defaultSettings.lookup).toEqual({ doi: [], orcid: [], ror: [], private_hosts: [] });
    for (const address of [
      "https://example.org/",
      "ftp://example.org/{id}",
      "https://{id}.example.org/",
      "https://a:b@example.org/{id}",
    ])
      expect(settingsSchema.safeParse({ lookup: { doi: [address] } }).success, address).toBe(false);
  });
});
