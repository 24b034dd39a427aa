import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { recordWith } from "../support/searchable.ts";

describe.each(roles)("parameters and envelope of a search on the %s", (role) => {
  let api: Api;
  let alice: HttpClient;
  const ids: string[] = [];
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    for (const title of ["One sheep", "Two sheep", "Three sheep"]) ids.push(await recordWith(alice, { title }));
  });
  afterAll(() => api.close());
  const search = (query: string) => alice.get(`/api/records?${query}`);
  const self = (query: string) => `${alice.url}/api/records?${query}`;

  test("the envelope holds these keys and no other (search 3)", async () => {
    const { status, body, headers } = await search("q=sheep");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["aggregations", "hits", "links", "page", "sortBy"]);
    expect(body.hits.total).toBe(3);
    expect(body).toMatchObject({ sortBy: "bestmatch", page: 1 });
    expect(body.links).toEqual({ self: self("page=1&q=sheep&size=10&sort=bestmatch") });
    expect(headers.get("vary")).toBe("Accept, Accept-Language, Accept-Encoding");
    const single = await alice.get(`/api/records/${body.hits.hits[0].id}`);
    expect(body.hits.hits[0]).toEqual(single.body);
  });

  const facets = "access_status file_type language publication_date resource_type subject";
  test.each([
    ["GET /api/records", "/api/records", 10, "newest", facets, "page"],
    ["GET /api/user/records", "/api/user/records", 10, "newest", `${facets} is_published`, "page"],
    ["GET /api/records/<id>/versions", "/api/records/{id}/versions", 25, "version", "", "page"],
    ["GET /api/requests", "/api/requests", 10, "newest", "status type", "page"],
    ["GET /api/user/requests", "/api/user/requests", 10, "newest", "status type", "page"],
    ["GET /api/records/<id>/requests", "/api/records/{id}/requests", 10, "newest", "status type", "page"],
    ["GET /api/users", "/api/users", 10, "newest", "", ""],
    ["GET /api/groups", "/api/groups", 20, "name", "is_managed", ""],
  ])("search 1, %s: by default %s gives %i by %s, aggregations %s", async (_row, path, size, sort, counted, page) => {
    const { status, body } = await alice.get(path.replace("{id}", ids[0] ?? ""));
    const keys = ["hits", "links", "sortBy", ...(counted ? ["aggregations"] : []), ...(page ? [page] : [])];
    expect([status, Object.keys(body).sort()]).toEqual([200, keys.sort()]);
    expect(Object.keys(body.aggregations ?? {}).sort()).toEqual(counted.split(" ").filter(Boolean).sort());
    expect([body.sortBy, new URL(body.links.self).search]).toEqual([sort, `?page=1&size=${size}&sort=${sort}`]);
    const stranger = await api.anonymous.get(path.replace("{id}", ids[0] ?? ""));
    const isOpen = path.startsWith("/api/records");
    expect(stranger.status, "read right on the record, or signed in, else 403").toBe(isOpen ? 200 : 403);
  });

  test.each([
    ["", "newest"],
    ["q=", "newest"],
    ["q=%20+", "newest"],
    ["sort=bestmatch", "newest"],
    ["q=sheep&sort=oldest", "oldest"],
    ["q=sheep&q=nothing", "bestmatch"],
    ["suggest=", "newest"],
    ["unknown=1", "newest"],
  ])("%s sorts by %s (search 2)", async (query, sortBy) => {
    const { status, body } = await search(query);
    expect([status, body.sortBy, body.hits.total]).toEqual([200, sortBy, 3]);
    expect(body.links.self).not.toContain("unknown");
  });

  test.each([
    ["true True TRUE t 1 yes y on", "true"],
    ["false False FALSE f 0 no n off", "false"],
  ])("booleans everywhere: %s are %s, and so in links (search 2, 3)", async (spellings, format) => {
    for (const spelling of spellings.split(" ")) {
      const { body } = await search(`allversions=${spelling}`);
      expect([spelling, body.links.self]).toEqual([spelling, self(`allversions=${format}&page=1&size=10&sort=newest`)]);
      const pretty = (await search(`prettyprint=${spelling}`)).text;
      expect([spelling, pretty.includes("\n")]).toEqual([spelling, format === "true"]);
    }
  });

  test.each([
    ["sort=nope", "_schema", "Invalid sort option 'nope'."],
    ["sort=-newest", "_schema", "Invalid sort option '-newest'."],
    ["page=0", "page", "Must be greater than or equal to 1."],
    ["page=-1", "page", "Must be greater than or equal to 1."],
    ["page=abc", "page", "Not a valid integer."],
    ["page=1.5", "page", "Not a valid integer."],
    ["page=", "page", "Not a valid integer."],
    ["size=0", "size", "Must be greater than or equal to 1."],
    ["size=x", "size", "Not a valid integer."],
    ["allversions=maybe", "allversions", "Not a valid boolean."],
  ])("%s is refused in these words (search 2)", async (query, field, message) => {
    const { status, body } = await search(query);
    expect(status).toBe(400);
    expect(body).toEqual({
      status: 400,
      message: "A validation error occurred.",
      errors: [{ field, messages: [message] }],
    });
  });

  test.each([
    "suggest=x",
    "q=a&suggest=b",
    `q=${"a".repeat(8193)}`,
    "page=1001",
    "page=2&size=10000",
    "page=99999999999",
  ])("%s is no query string (search 2)", async (query) => {
    const { status, body } = await search(query);
    expect([status, body]).toEqual([400, { status: 400, message: "Invalid querystring parameters." }]);
  });

  test.each([
    ["versions.index:abc", "versions.index;expected=number"],
    ["created:foo", "created;expected=time"],
    ["is_published:maybe", "is_published;expected=boolean"],
    ["files.count:[a TO 2]", "files.count;expected=number"],
    ["title created:>nonsense", "created;expected=time"],
    ["metadata.publication_date_range:soon", "metadata.publication_date_range;expected=days"],
    ["created:2020-13-45", "created;expected=time"],
  ])("%s is mistyped (search 5.5, interoperability 48); a header names the field", async (q, problem) => {
    const { status, body, headers } = await search(`q=${encodeURIComponent(q)}`);
    expect([status, body]).toEqual([400, { status: 400, message: "Invalid query string syntax." }]);
    expect(headers.get("query-problem")).toBe(problem);
  });

  test.each(["!", "/"])("%s alone finds nothing, as in other programs (interoperability 48)", async (q) => {
    const { status, body } = await search(`q=${encodeURIComponent(q)}`);
    expect([status, body.hits]).toEqual([200, { hits: [], total: 0 }]);
  });

  test("pages: links, sizes and the end (search 3)", async () => {
    const second = await search("size=1&page=2&sort=oldest");
    expect(second.body.hits.hits.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
    expect(second.body.page).toBe(2);
    expect(second.body.links).toEqual({
      self: self("page=2&size=1&sort=oldest"),
      prev: self("page=1&size=1&sort=oldest"),
      next: self("page=3&size=1&sort=oldest"),
    });
    const past = await search("size=1&page=4");
    expect(Object.keys(past.body.links).sort()).toEqual(["prev", "self"]);
    expect(past.body.hits).toEqual({ hits: [], total: 3 });
    expect(Object.keys((await search("size=1&page=5")).body.links)).toEqual(["self"]);
    const huge = await search("size=20000");
    expect(huge.body.links.self).toBe(self("page=1&size=10000&sort=newest"));
    const cut = await search("size=6000&page=2");
    expect([cut.status, cut.body.links.next]).toEqual([200, undefined]);
  });

  test.each(["newest", "oldest", "updated-desc", "updated-asc", "version", "mostviewed", "mostdownloaded"])(
    "following next by %s visits every match once (search 3, 7)",
    async (sort) => {
      const seen: string[] = [];
      let next: string | undefined = `/api/records?q=sheep&size=1&sort=${sort}`;
      while (next !== undefined) {
        const { body } = await alice.get(next);
        seen.push(...body.hits.hits.map(({ id }: { id: string }) => id));
        next = body.links.next;
      }
      expect([...seen].sort()).toEqual([...ids].sort());
    },
  );

  test("links repeat what was asked, in order and encoded once (search 3)", async () => {
    const { body } = await search(
      "subject=b%20c&subject=a&q=sheep%2Bgoat+x&allversions=1&resource_type=image::image-figure",
    );
    expect(body.links.self).toBe(
      self(
        "allversions=true&page=1&q=sheep%2Bgoat+x&resource_type=image%3A%3Aimage-figure&size=10&sort=bestmatch&subject=b+c&subject=a",
      ),
    );
    const signs = await search("q=(a'b)!~*.-_&sort=oldest");
    expect(signs.body.links.self).toBe(self("page=1&q=%28a%27b%29%21%7E*.-_&size=10&sort=oldest"));
    const broken = await search("q=%FF%C3");
    expect(broken.status).toBe(200);
  });

  test("prettyprint and HEAD (search 2, 11)", async () => {
    const pretty = await search("prettyprint=1");
    const sorted = (_key: string, value: unknown) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
    const refused = await search("prettyprint=1&size=0");
    const health = await alice.get("/healthz?prettyprint=1");
    for (const { text, body } of [pretty, refused, health]) expect(text).toBe(JSON.stringify(body, sorted, 2));
    expect(refused.headers.get("content-length")).toBe(String(refused.bytes.length));
    const head = await alice.head("/api/records?q=sheep");
    expect([head.status, head.text]).toEqual([200, ""]);
    const wrong = await alice.delete("/api/records");
    expect(wrong.status).toBe(405);
  });
});
