import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

test("CORS: off by default; for a listed origin its headers, preflight 204 (search-and-conventions 11)", async () => {
  const closed = await startApi("server");
  const origin = "https://pages.example.org";
  const plain = await closed.anonymous.get("/api/records", { headers: { origin } });
  expect(plain.headers.get("access-control-allow-origin")).toBeNull();
  const api = await startApi("server", { settings: { cors_origins: [origin] } });
  const id = await givenRecord(await api.as("alice"));
  for (const path of ["/api/records", `/api/records/${id}`, `/api/records/${id}`, "/api/nowhere"]) {
    const { headers } = await api.anonymous.get(path, { headers: { origin } });
    expect(headers.get("access-control-allow-origin"), path).toBe(origin);
    expect(headers.get("vary"), path).toContain("Origin");
    expect(headers.get("access-control-expose-headers")).toContain("ETag, Link, Location, X-Request-ID");
  }
  const other = await api.anonymous.get("/api/records", { headers: { origin: "https://evil.example" } });
  expect(other.headers.get("access-control-allow-origin")).toBeNull();
  expect(other.headers.get("vary")).toContain("Origin");
  const preflightHeaders = { origin, "access-control-request-method": "PUT" };
  const preflight = await api.anonymous.call("OPTIONS", "/api/records", undefined, { headers: preflightHeaders });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toContain(
    "Authorization, Content-Type, If-Match, If-None-Match, X-CSRFToken",
  );
  // A page of that origin resumes uploads too (records 6.4.1).
  expect(preflight.headers.get("access-control-allow-headers")).toContain("Upload-Offset, Upload-Complete");
  expect(preflight.headers.get("access-control-expose-headers")).toContain("Upload-Offset, Upload-Complete");
});

test("a listed origin may do with public files all that any origin may (search-and-conventions 11, interoperability 8)", async () => {
  const listed = "https://pages.example.org";
  const api = await startApi("server", { settings: { cors_origins: [listed] } });
  const alice = await api.as("alice");
  const id = await givenDraft(alice, { metadata });
  await addFile(alice, id, "b.txt", "four");
  await publish(alice, id);
  const path = `/api/records/${id}/files/b.txt/content`;
  const namesOf = (headers: Headers, name: string) => headers.get(name)?.split(", ") ?? [];
  const ask = async (origin: string) => {
    const asked = { origin, "access-control-request-method": "GET" };
    const preflight = await api.anonymous.call("OPTIONS", path, undefined, { headers: asked });
    const allowed = namesOf(preflight.headers, "access-control-allow-headers");
    const { headers } = await api.anonymous.get(path, { headers: { origin } });
    return { allowed, exposed: namesOf(headers, "access-control-expose-headers") };
  };
  const [any, own] = [await ask("https://other.example.org"), await ask(listed)];
  expect(any.allowed).toContain("If-Range");
  expect(any.exposed).toContain("Accept-Ranges");
  // Browsers allow these two without being told.
  const safe = ["Accept", "Accept-Language"];
  expect(any.allowed.filter((name) => ![...own.allowed, ...safe].includes(name))).toEqual([]);
  expect(any.exposed.filter((name) => !own.exposed.includes(name))).toEqual([]);
});

test("a page of any origin may ask for public files and pictures with conditions, and for nothing else (interoperability 8, 37)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenDraft(alice, { metadata });
  await addFile(alice, id, "b.txt", "four");
  await publish(alice, id);
  const ask = async (path: string, method: string) => {
    const headers = { origin: "https://viewer.example", "access-control-request-method": method };
    const answer = await api.anonymous.call("OPTIONS", path, undefined, { headers });
    expect(answer.status).toBe(204);
    return ["origin", "headers"].map((name) => answer.headers.get(`access-control-allow-${name}`));
  };
  const allowed = ["*", "Accept, Accept-Language, If-Modified-Since, If-None-Match, If-Range, Range"];
  for (const path of [
    ...[`/api/iiif/record:${id}/manifest`, `/api/iiif/record:${id}:b.txt/info.json`],
    ...[`/api/records/${id}/files/b.txt/content`, `/api/records/${id}/files-archive`],
  ]) {
    expect([path, ...(await ask(path, "GET"))]).toEqual([path, ...allowed]);
    expect(await ask(path, "PUT")).toEqual([null, null]);
  }
  expect(await ask(`/api/records/${id}`, "GET")).toEqual([null, null]);
});
