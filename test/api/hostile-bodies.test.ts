import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { answerTo } from "../support/raw-request.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";

const runs = { numRuns: Number(process.env.RUNS ?? 150), seed: 20261121 };
const json = fc.jsonValue({ maxDepth: 3 });
const visibility = fc.oneof(fc.constantFrom("public", "restricted"), json);
const date = fc.oneof(fc.constantFrom("2020-01-01", "2999-12-31", "2021-02-30", ""), json);
const member = (arbitraries: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 4, arbitrary: fc.record(arbitraries, { requiredKeys: [] }) }, { weight: 1, arbitrary: json });

const access = member({
  record: visibility,
  files: visibility,
  embargo: member({ active: fc.oneof(fc.boolean(), json), until: date, reason: fc.oneof(fc.string(), json) }),
});
const files = member({
  enabled: fc.oneof(fc.boolean(), json),
  default_preview: fc.oneof(fc.string(), json),
  order: fc.oneof(fc.array(fc.string()), json),
});
const doi = member({
  identifier: fc.oneof(fc.constantFrom("10.1234/x", "10.5072/x", "doi:10.1/ü", ""), fc.string(), json),
  provider: fc.oneof(fc.constantFrom("external", "datacite"), json),
  client: json,
});
const draftBody = fc.record(
  {
    access,
    files,
    pids: member({ doi, oai: json }),
    custom_fields: member({ "a:b": json, __proto__: json }),
    metadata: fc.oneof(fc.constant(metadata), json),
    parent: json,
    id: json,
    links: json,
  },
  { requiredKeys: [] },
);

/** No bug: a 2xx, or a refusal in the contract's shape (records 1.1). */
function assertSane({ status, body, text }: Answer): void {
  expect(status, text).toBeLessThan(500);
  if (status < 400) return;
  expect(body).toMatchObject({ status, message: expect.stringMatching(/./) });
  for (const error of body.errors ?? []) {
    expect(error).toEqual({
      field: expect.any(String),
      messages: expect.arrayContaining([expect.any(String)]),
    });
  }
}

describe("bodies of every kind", () => {
  let api: Api;
  let alice: HttpClient;
  beforeAll(async () => {
    api = await startApi();
    alice = await api.as("alice");
  });
  afterAll(() => api.close());

  test("PUT draft: never 5xx, and what was stored may be sent back unchanged (records 3.2, 3.3)", async () => {
    const path = `/api/records/${await givenDraft(alice)}/draft`;
    const property = fc.asyncProperty(draftBody, async (body) => {
      const saved = await alice.put(path, body);
      assertSane(saved);
      const before = (await alice.get(path)).body;
      const same = await alice.put(path, before);
      expect(same.status, same.text).toBe(200);
      const { errors: _errors, ...after } = same.body;
      expect(after).toEqual(before);
    });
    await fc.assert(property, runs);
  });

  test("POST /records, publishing, links, grants, settings, deletion: never 5xx", async () => {
    const admin = await api.as("admin");
    const id = await givenRecord(alice);
    const calls: [HttpClient, string, string][] = [
      [alice, "POST", "/api/records"],
      [alice, "POST", `/api/records/${id}/access/links`],
      [alice, "POST", `/api/records/${id}/access/grants`],
      [alice, "PUT", `/api/records/${id}/access`],
      [alice, "POST", `/api/records/${id}/versions`],
      [alice, "POST", `/api/records/${id}/draft/actions/publish`],
      [admin, "DELETE", `/api/records/${id}/delete`],
      [admin, "POST", `/api/records/${id}/restore`],
    ];
    const grant = member({
      permission: fc.oneof(fc.constantFrom("view", "manage"), json),
      subject: member({ type: fc.constantFrom("user", "role", "system_role"), id: fc.oneof(fc.string(), json) }),
      message: json,
    });
    const body = fc.oneof(
      draftBody,
      fc.record({ permission: fc.constantFrom("view", "edit"), expires_at: date, description: json }),
      fc.record({ grants: fc.oneof(fc.array(grant, { maxLength: 3 }), json) }),
      fc.record({ removal_reason: member({ id: json }), note: json, is_visible: json }),
      json,
    );
    const property = fc.asyncProperty(fc.constantFrom(...calls), body, async ([client, method, path], sent) => {
      assertSane(
        await client.call(method, path, JSON.stringify(sent), { headers: { "content-type": "application/json" } }),
      );
    });
    await fc.assert(property, { ...runs, numRuns: runs.numRuns * 2 });
  });

  test("ids and queries of every kind: never 5xx", async () => {
    const paths = [
      "",
      "/draft",
      "/versions",
      "/versions/latest",
      "/files",
      "/access/links",
      "/draft/review",
      "/requests",
    ];
    const query = fc.record({
      page: fc.string(),
      size: fc.string(),
      sort: fc.string(),
      token: fc.string(),
      q: fc.string(),
    });
    const property = fc.asyncProperty(fc.string(), fc.constantFrom(...paths), query, async (id, path, parameters) => {
      const text = new URLSearchParams(parameters as Record<string, string>).toString();
      assertSane(await alice.get(`/api/records/${encodeURIComponent(id.toWellFormed() || "x")}${path}?${text}`));
    });
    await fc.assert(property, runs);
    await givenRecord(alice, withoutFiles);
  });

  test("a q of 8192 characters of any script is read, a longer head is 431 in JSON (search 2, 10)", async () => {
    const ask = (length: number) => alice.get(`/api/records?q=${encodeURIComponent("海".repeat(length))}`);
    expect((await ask(8192)).status).toBe(200);
    expect((await ask(8193)).body).toEqual({ status: 400, message: "Invalid querystring parameters." });
    const large = await ask(20_000);
    expect(large.body).toEqual({ status: 431, message: expect.stringMatching(/./) });
    expect(large.headers.get("x-request-id")).toMatch(/./);
  });

  test.each([
    ["no host", "GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["no request", "hello\r\n\r\n", 400],
    ["a line with a blank too many", "GET /ping ? HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["an address without a host", "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["an address with half a host", "GET http://[::1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["an address, as proxies get it", "GET http://x/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["an unknown expectation", "GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n", 404],
  ])(
    "body always JSON, what a client writes by hand included: %s (search-and-conventions 10)",
    async (_what, text, status) => {
      const answer = await answerTo(alice.url, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/\r\nX-Request-ID: \S+\r\n/i);
      expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({ status, message: expect.stringMatching(/\w/) });
    },
  );

  test("JSON nested over 200 levels is refused as unreadable (search-and-conventions 10)", async () => {
    const json = { headers: { "content-type": "application/json" } };
    const nested = (levels: number, inner = ""): string => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;
    for (const body of [
      nested(5000),
      "[".repeat(9_000_000),
      `{"metadata":${'{"a":'.repeat(300)}1${"}".repeat(301)}`,
      nested(201),
      `["\\\\",${nested(200)}]`,
    ]) {
      const refused = await alice.post("/api/records", body, json);
      expect(refused.body).toEqual({ status: 400, message: "Unable to decode JSON data in request body." });
    }
    // Brackets inside texts do not count.
    for (const body of [
      nested(200),
      `["\\"${"[".repeat(300)}"]`,
      `["${"{".repeat(300)}\\\\","[\\\\\\"${"[".repeat(300)}"]`,
    ]) {
      const refused = await alice.post("/api/records", body, json);
      expect(refused.body.message, body.slice(0, 20)).not.toContain("decode");
      expect(refused.status).toBe(400);
    }
  });
});
