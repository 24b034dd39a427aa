import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { givenRecord, withoutFiles } from "../support/records.ts";

const origin = "https://pages.example";

test("CORS is off unless the operator lists origins (requests 2.1)", async () => {
  const api = await startApi();
  const answer = await api.anonymous.get("/api/records", { headers: { origin } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});

test("a listed origin may call, another not, and none with credentials mode (search 11)", async () => {
  const api = await startApi("server", { settings: { cors_origins: [`${origin}/`] } });
  const answer = await api.anonymous.get("/api/records", { headers: { origin } });
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  expect(answer.headers.get("vary")).toMatch(/Origin/);
  expect(answer.headers.get("access-control-expose-headers")).toMatch(/ETag, Link, Location, X-Request-ID/);
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  const preflight = await api.anonymous.call("OPTIONS", "/api/records", undefined, {
    headers: { origin, "access-control-request-method": "POST" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Authorization, Content-Type, If-Match/);
  const other = await api.anonymous.get("/api/records", { headers: { origin: "https://evil.example" } });
  expect(other.headers.get("access-control-allow-origin")).toBeNull();
});

test("a general request limit is off, and 429 with Retry-After when the operator sets it (requests 2.3)", async () => {
  const settings = { rate_limit: { guest_per_minute: 3, user_per_minute: 5 } };
  const api = await startApi("server", { settings });
  const ada = await api.atOneProcess("ada");
  const statuses: number[] = [];
  for (let call = 0; call < 6; call++) statuses.push((await ada.get("/api/me")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  // Calls by a replica's sync are not limited, and do not use up the user's limit.
  for (let call = 0; call < 8; call++) expect((await ada.get("/api/sync/changes")).status).toBe(200);
  for (let call = 0; call < 3; call++) expect((await api.anonymous.get("/api/records")).status).toBe(200);
  const answer = await api.anonymous.get("/api/records");
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await (await startApi()).anonymous.get("/api/records")).headers.get("x-ratelimit-limit")).toBeNull();
});

const restricted = { ...withoutFiles, access: { record: "restricted", files: "restricted" } };

test("a grant of edit to everybody opens no draft without credentials (interface, Authentication; records 2)", async () => {
  const api = await startApi("server");
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const path = `/api/records/${await givenRecord(alice, restricted)}`;
  const subject = { type: "system_role", id: "any_user" };
  const unknown = { ...subject, id: "everybody" };
  const nobody = await alice.post(`${path}/access/grants`, { grants: [{ permission: "view", subject: unknown }] });
  const messages = ["There is no system role 'everybody'."];
  expect([nobody.status, nobody.body.errors]).toEqual([400, [{ field: "subject.id", messages }]]);
  for (const permission of ["edit", "manage"]) {
    const given = await alice.post(`${path}/access/grants`, { grants: [{ permission, subject }] });
    expect(given.status, given.text).toBe(201);
    expect((await api.anonymous.get(path)).status).toBe(200);
    expect((await api.anonymous.post(`${path}/draft`)).status).toBe(403);
    expect((await api.anonymous.post(`${path}/versions`)).status).toBe(403);
    expect((await bob.post(`${path}/draft`)).status).toBe(201);
    expect((await api.anonymous.get(`${path}/draft`)).status).toBe(403);
    expect((await api.anonymous.put(`${path}/draft`, restricted)).status).toBe(403);
    expect((await api.anonymous.get(`${path}/access/grants`)).status).toBe(403);
    expect((await bob.delete(`${path}/draft`)).status).toBe(204);
    expect((await alice.delete(`${path}/access/grants/0`)).status).toBe(204);
  }
});
