import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { draftWith, recordWith } from "../support/searchable.ts";

/** Calls of the search pages and the deposit form of InvenioRDM's JavaScript client. */
const requests: readonly (readonly [title: string, path: string, sortBy: string, page: number, total: number])[] = [
  ["first page of the search", "/api/records?q=&sort=newest&page=1&size=10", "newest", 1, 3],
  ["landing, no sort", "/api/records?q=&page=1&size=10", "newest", 1, 3],
  ["blanks as %20", "/api/records?q=deep%20sea&sort=bestmatch&page=1&size=10", "bestmatch", 1, 2],
  ["a facet", "/api/records?q=&f=&resource_type=image&sort=newest&page=1&size=10", "newest", 1, 2],
  ["a nested facet", "/api/records?q=&resource_type=image%3A%3Aimage-photo&page=1&size=10", "newest", 1, 1],
  [
    "two facets",
    "/api/records?q=&resource_type=image&resource_type=dataset&access_status=metadata-only&page=1&size=10",
    "newest",
    1,
    3,
  ],
  [
    "a child with its parent",
    "/api/records?q=&resource_type=image&resource_type=image::image-photo&page=1&size=10",
    "newest",
    1,
    1,
  ],
  ["all versions", "/api/records?q=&allversions=true&page=1&size=10", "newest", 1, 3],
  ["second page", "/api/records?q=&page=2&size=2&sort=oldest", "oldest", 2, 3],
  ["expanded", "/api/records?expand=1&q=deep", "bestmatch", 1, 2],
  [
    "versions of a family",
    "/api/records?q=parent.id:none&sort=version&page=1&size=5&allversions=true",
    "version",
    1,
    0,
  ],
  ["dashboard", "/api/user/records?q=&sort=bestmatch&page=1&size=10", "newest", 1, 4],
  [
    "dashboard, drafts",
    "/api/user/records?q=&is_published=false&sort=updated-desc&page=1&size=10&shared_with_me=false",
    "updated-desc",
    1,
    1,
  ],
];

describe.each(roles)("requests as InvenioRDM's client sends them, on the %s", (role) => {
  let api: Api;
  let alice: HttpClient;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    await recordWith(alice, { title: "Deep sea photo", metadata: { resource_type: { id: "image-photo" } } });
    await recordWith(alice, { title: "Deep forest plot", metadata: { resource_type: { id: "image-plot" } } });
    await recordWith(alice, { title: "Table" });
    await draftWith(alice, { title: "Unfinished" });
  });
  afterAll(() => api.close());

  test.each(requests)("%s", async (_title, path, sortBy, page, total) => {
    const { status, headers, body } = await alice.get(path, {
      headers: { accept: "application/vnd.inveniordm.v1+json" },
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/vnd\.inveniordm\.v1\+json/);
    expect([body.sortBy, body.page, body.hits.total]).toEqual([sortBy, page, total]);
    expect(body.links.self).toMatch(/^http/);
    for (const [name, aggregation] of Object.entries<{ label: string; buckets: Record<string, unknown>[] }>(
      body.aggregations,
    )) {
      expect(Object.keys(aggregation).sort()).toEqual(["buckets", "label"]);
      for (const bucket of aggregation.buckets) {
        const inner = name === "resource_type" ? ["inner"] : [];
        expect(Object.keys(bucket).sort()).toEqual(["doc_count", "is_selected", "key", "label", ...inner].sort());
      }
    }
    // The client copies these from an answer into its own state.
    for (const key of ["size", "filters", "queryString", "suggestions", "layout"]) expect(body).not.toHaveProperty(key);
  });

  test("a selected child stands below its parent, which is not selected by it (search 8)", async () => {
    const { body } = await alice.get("/api/records?q=&resource_type=image%3A%3Aimage-photo");
    const image = body.aggregations.resource_type.buckets.find(({ key }: { key: string }) => key === "image");
    expect(image).toMatchObject({ doc_count: 2, is_selected: false });
    expect(
      image.inner.buckets.map((bucket: { key: string; is_selected: boolean }) => [bucket.key, bucket.is_selected]),
    ).toEqual([
      ["image-photo", true],
      ["image-plot", false],
    ]);
  });
});

test("declared custom fields are asked by their type (search 6.1)", async () => {
  const api = await startApi("server", {
    settings: {
      custom_fields: [
        { name: "lab:depth", type: "integer", is_list: false },
        { name: "lab:method", type: "text", is_list: false },
        { name: "lab:code", type: "keyword", is_list: true },
      ],
    },
  });
  const alice = await api.as("alice");
  const body = { custom_fields: { "lab:depth": 120, "lab:method": "Slow drilling", "lab:code": ["A1", "B2"] } };
  await recordWith(alice, { title: "Core", ...body });
  const totalOf = async (q: string) => {
    const answer = await alice.get(`/api/records?q=${encodeURIComponent(q)}`);
    return answer.status === 200 ? answer.body.hits.total : answer.status;
  };
  expect(await totalOf("custom_fields.lab\\:depth:[100 TO 200]")).toBe(1);
  expect(await totalOf("custom_fields.lab\\:depth:deep")).toBe(400);
  expect(await totalOf("custom_fields.lab\\:method:drilling")).toBe(1);
  expect(await totalOf("custom_fields.lab\\:code:B2")).toBe(1);
  expect(await totalOf("custom_fields.lab\\:code:b2")).toBe(0);
  expect(await totalOf("custom_fields.lab\\:other:x")).toBe(0);
  expect(await totalOf("drilling")).toBe(0);
});

test("members of well-known custom fields are asked by path, on both hosts (app H8; search 6.1)", async () => {
  for (const role of ["server", "replica"] as const) {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const custom_fields = {
      "journal:journal": { title: "Deep Sea Letters", issn: "0967-0637" },
      "code:programmingLanguage": [{ id: "python" }],
      "meeting:meeting": { identifiers: [{ identifier: "10.1234/days", scheme: "doi" }] },
    };
    await recordWith(alice, { title: "Core", custom_fields });
    const totalOf = async (q: string) => (await alice.get(`/api/records?q=${encodeURIComponent(q)}`)).body.hits.total;
    expect(await totalOf("custom_fields.journal\\:journal.title:letters")).toBe(1);
    expect(await totalOf("custom_fields.journal\\:journal.issn:0967\\-0637")).toBe(1);
    expect(await totalOf("custom_fields.journal\\:journal.colour:letters")).toBe(0);
    expect(await totalOf("custom_fields.code\\:programmingLanguage.id:python")).toBe(1);
    expect(await totalOf("custom_fields.code\\:programmingLanguage.title.en:python")).toBe(1);
    expect(await totalOf('custom_fields.meeting\\:meeting.identifiers.identifier:"10.1234/days"')).toBe(1);
  }
});
