import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { json, rowsOfAnswers, rowsOfErrors } from "../support/convention-rows.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord } from "../support/records.ts";

describe.each(roles)("HTTP conventions on the %s (search-and-conventions 10, 11)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let draft: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    draft = await givenDraft(alice);
    await alice.post("/api/records", {}, { headers: { "idempotency-key": "rows" } });
  });
  afterAll(() => api.close());

  test.each(rowsOfErrors)(
    "10, Errors: %s: %s %s, %j %j",
    async (_row, method, path, body, headers, status, message) => {
      const given = body === undefined ? {} : json;
      const url = path.replace("{draft}", draft);
      const answer = await alice.call(method, url, body, { headers: { ...given, ...headers } });
      expect(answer.status, answer.text).toBe(status);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.headers.get("cache-control"), "to signed-in callers").toMatch(/private|no-store/);
      expect(answer.body).toMatchObject({ status, message: expect.stringMatching(message) });
      expect(answer.text).not.toMatch(/<html|node_modules|\bat \S+:\d+|sqlite|select /i);
      const head = method === "GET" ? await alice.head(url, { headers }) : answer;
      expect([head.status, head.headers.get("content-length")]).toEqual([status, answer.headers.get("content-length")]);
    },
  );

  test.each(rowsOfAnswers)("11: %s: %s", async (_row, path, headers, status, expected) => {
    const answer = await alice.get(path.replace("{draft}", draft), { headers });
    expect(answer.status, answer.text).toBe(status);
    for (const [name, value] of Object.entries(expected)) expect(answer.headers.get(name), name).toMatch(value);
  });
  test("400: body is not JSON or not UTF-8; of the wrong top-level type; 413, 415, 406", async () => {
    const json = { headers: { "content-type": "application/json" } };
    for (const body of ["{", Buffer.from([0x22, 0xff, 0x22])]) {
      const broken = await alice.post("/api/records", body, json);
      expect(broken.body).toMatchObject({ status: 400, message: "Unable to decode JSON data in request body." });
    }
    for (const body of ["[]", '"text"', "5"]) {
      const wrong = await alice.post("/api/records", body, json);
      expect(wrong.body).toMatchObject({ status: 400, message: "A validation error occurred." });
      expect(wrong.body.errors).toEqual([{ field: "_schema", messages: ["Invalid input type."] }]);
    }
    const large = await alice.post("/api/records", `"${"x".repeat(10 * 1024 * 1024)}"`, json);
    expect(large.status).toBe(413);
    const text = await alice.post("/api/records", "a=b", { headers: { "content-type": "text/plain" } });
    expect(text.body).toMatchObject({
      status: 415,
      message: expect.stringMatching(/^Invalid 'Content-Type' header\./),
    });
    const html = await alice.get("/api/records", { headers: { accept: "text/html" } });
    expect(html.body).toMatchObject({ status: 406, message: expect.stringMatching(/^Invalid 'Accept' header\./) });
    expect((await alice.get("/api/records", { headers: { accept: "text/html,*/*;q=0.8" } })).status).toBe(200);
    const refused = await alice.get("/api/groups", { headers: { accept: "application/json;q=0, */*" } });
    expect(refused.headers.get("content-type")).toBe("application/vnd.inveniordm.v1+json");
    expect((await alice.get("/api/groups", { headers: { accept: "application/json;q=0" } })).status).toBe(406);
  });

  test("405 with Allow; OPTIONS 204 with Allow; unknown paths 404 JSON; malformed percent-encoding 400", async () => {
    const wrong = await alice.patch("/api/records");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(wrong.body).toMatchObject({ status: 405, message: expect.stringMatching(/./) });
    // Also on a path whose other methods exist only on the server, and before any object is looked up.
    for (const [method, path] of [
      ["DELETE", "/api/groups"],
      ["POST", "/api/groups/x"],
      ["PUT", "/api/tokens"],
      ["DELETE", "/api/requests"],
      ["PUT", "/api/records/nobody-knows/draft/pids/doi"],
      ["GET", "/api/login"],
    ] as const) {
      const answer = await alice.call(method, path);
      expect([path, answer.status, answer.headers.get("allow")]).toEqual([
        path,
        405,
        expect.stringMatching(/OPTIONS$/),
      ]);
    }
    expect((await alice.post("/api/records/nobody-knows/draft/pids/ark")).status).toBe(404);
    const options = await alice.call("OPTIONS", "/api/records");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
    for (const path of ["/api/nowhere", "/api", "/api/records/x/y/z"]) {
      const unknown = await alice.get(path);
      expect(unknown.body, path).toMatchObject({ status: 404, message: expect.stringMatching(/./) });
      expect(unknown.headers.get("content-type")).toMatch(/^application\/json/);
    }
    const otherCases = ["/API/records", "/api/Records", "/api/records/X/Draft", "/api/Users", "/api/user/Records"];
    const ofHost = role === "server" ? ["/Login", "/api/Sync/feed"] : ["/api/Sync/status", "/api/sync/Session"];
    const others = ["/api/Requests", "/api/Groups", "/api/Vocabularies/languages", "/Ping", "/api/Tokens"];
    for (const path of [...otherCases, ...others, ...ofHost]) {
      expect([path, (await alice.get(path)).status], "paths are told apart by case").toEqual([path, 404]);
    }
    const malformed = await alice.get("/api/records/%E0%A4%A");
    expect(malformed.body).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
  });

  test("HEAD as GET without body; one trailing slash is ignored; ETag, 304, Cache-Control, Vary", async () => {
    const id = await givenDraft(alice);
    for (const path of [`/api/records/${id}/draft`, "/api/user/records"]) {
      const [head, got] = [await alice.head(path), await alice.get(path)];
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
      expect((await alice.get(`${path}/`)).status).toBe(200);
      // Lists of an object (files, links) change without its revision, so caches must not rely on the ETag.
      expect(got.headers.get("cache-control")).toBe(path.endsWith("draft") ? "private, no-store" : "private, no-cache");
      expect(got.headers.get("vary")).toContain("Accept-Encoding");
      expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const etag = (await alice.get(`/api/records/${id}/draft`)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"\d+"$/);
    const known = await alice.get(`/api/records/${id}/draft`, { headers: { "if-none-match": etag } });
    expect([known.status, known.text]).toEqual([304, ""]);
    expect(known.headers.get("vary")).toContain("Accept-Encoding");
    expect((await alice.get("/api/user/records")).headers.get("etag")).toBeNull();
  });

  test("X-Request-ID: a sent value of 1-128 characters is returned, else a new one", async () => {
    const sent = async (id: string) =>
      (await alice.get("/api/nowhere", { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await sent("a.B_c-9")).toBe("a.B_c-9");
    expect(await sent("a b")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(await sent("x".repeat(129))).not.toBe("x".repeat(129));
    expect((await alice.get("/ping")).headers.get("x-request-id")).toMatch(/./);
  });

  test("compression: gzip or br for JSON when accepted; Vary: Accept-Encoding", async () => {
    const id = await givenRecord(alice);
    const plain = await alice.get("/api/records", { headers: { "accept-encoding": "identity" } });
    const cases: Record<string, string | null> = {
      gzip: "gzip",
      br: "br",
      "gzip, deflate, br": "gzip",
      "gzip;q=0.5, br": "br",
      "gzip;q=0": null,
      "gzip;q=0, br": "br",
      "*": "gzip",
      "*;q=0": null,
      "identity, gzip;q=0.5": null,
      deflate: null,
      "": null,
    };
    for (const path of ["/api/records", `/api/records/${id}`, `/api/records/${id}`]) {
      for (const [accepted, coding] of Object.entries(cases)) {
        const answer = await alice.get(path, { headers: { "accept-encoding": accepted } });
        expect([accepted, answer.headers.get("content-encoding")]).toEqual([accepted, coding]);
        expect(answer.headers.get("vary")).toContain("Accept-Encoding");
        expect(answer.body).toEqual(path === "/api/records" ? plain.body : plain.body.hits.hits[0]);
      }
    }
  });

  test("OPTIONS: 200 or 204 with Allow, whatever stands there; health: 405 for other methods", async () => {
    const pages = ["/records/nobody-knows", "/uploads/nobody-knows", "/me/requests/nobody-knows"];
    const paths = ["/api/records/nobody-knows", "/api/records/nobody-knows/draft", "/api/users/77", "/ping"];
    for (const path of [...paths, ...pages]) {
      const options = await alice.call("OPTIONS", path);
      expect([path, options.status, options.headers.get("allow")]).toEqual([path, 204, expect.stringMatching(/GET/)]);
    }
    expect((await alice.call("OPTIONS", "/api/nowhere")).status).toBe(404);
    for (const path of [...pages, "/ping", "/healthz"]) {
      const wrong = await alice.post(path);
      expect([path, wrong.status, wrong.headers.get("allow")]).toEqual([path, 405, "GET, HEAD, OPTIONS"]);
    }
    for (const path of ["/ping", "/healthz"]) {
      expect((await alice.head(`${path}/`)).status).toBe(200);
    }
    expect((await alice.get("/ping")).text).toBe("OK");
    expect((await alice.get("/healthz")).body).toMatchObject({ status: "ok", role });
  });
});

describe("conventions of the server alone (search-and-conventions 11)", () => {
  test("rate limit: off by default; when on: X-RateLimit-*, 429 with Retry-After", async () => {
    const free = await startApi("server");
    expect((await free.anonymous.get("/api/records")).headers.get("x-ratelimit-limit")).toBeNull();
    const api = await startApi("server", { settings: { rate_limit: { guest_per_minute: 3, user_per_minute: 5 } } });
    const left: (string | null)[] = [];
    for (let call = 0; call < 3; call++) {
      const { status, headers } = await api.anonymous.get("/api/records");
      expect(status).toBe(200);
      left.push(headers.get("x-ratelimit-remaining"));
    }
    expect(left).toEqual(["2", "1", "0"]);
    const startedAt = Date.now() / 1000;
    const refused = await api.anonymous.get("/api/records");
    expect(refused.body).toMatchObject({ status: 429, message: expect.stringMatching(/./) });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(startedAt);
    const person = await (await api.as("alice")).get("/api/records");
    expect([person.status, person.headers.get("x-ratelimit-limit")]).toEqual([200, "5"]);
    expect((await api.anonymous.get("/ping")).status).toBe(200);
  });

  test("ETag: strangers' caches keep no record: what a new version changes in it is no new revision", async () => {
    const api = await startApi("server");
    const id = await givenRecord(await api.as("alice"));
    const answers = [];
    // The second answer is a prepared one.
    for (const path of [`/api/records/${id}`, `/api/records/${id}`, `/api/records/${id}/versions/latest`])
      answers.push(await api.anonymous.get(path));
    const etag = answers[0]?.headers.get("etag") ?? "";
    answers.push(await api.anonymous.get(`/api/records/${id}`, { headers: { "if-none-match": etag } }));
    expect(answers.map(({ status, headers }) => [status, headers.get("cache-control")])).toEqual([
      [200, "no-store"],
      [200, "no-store"],
      [200, "no-store"],
      [304, "no-store"],
    ]);
  });

  test("401 for credentials sent and invalid, on every endpoint, public ones included", async () => {
    const api = await startApi("server");
    for (const path of ["/api/records", "/api/vocabularies/languages"]) {
      const answer = await api.anonymous.get(path, { headers: { authorization: "Bearer wrong" } });
      expect(answer.status, path).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });
});
