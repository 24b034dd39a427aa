import { describe, expect, test } from "vitest";
import { startVictim } from "../support/hostile-server.ts";

const script = "<script>fetch('/api/sync/status')</script>";
const id = "abcde-12345";

/** Paths of calls that a replica forwards to the server. */
const forwardedPaths = [
  "/api/records?scope=server",
  "/api/user/records?scope=server",
  "/api/docs?scope=server",
  "/api/tokens",
  `/api/records/${id}?token=x`,
  `/api/records/${id}/draft?token=x`,
  `/api/records/${id}/files/a.html/content?token=x`,
  `/api/records/${id}/files/a.zip/container/index.html?token=x`,
  `/api/records/${id}/files-archive?token=x`,
  `/api/iiif/record:${id}/manifest?token=x`,
  "/api/users/77/avatar.svg?token=x",
  "/api/groups/77/avatar.svg?token=x",
];

/** Headers that a replica must not copy. */
const foreign = {
  "Set-Cookie": "carrel_session_1=x",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Credentials": "true",
  "Clear-Site-Data": '"*"',
  Link: "</evil.js>; rel=preload; as=script",
  Refresh: "0; url=https://evil.example",
  "Service-Worker-Allowed": "/",
  "Content-Security-Policy": "default-src *",
  "X-Content-Type-Options": "none",
  "Content-Encoding": "identity",
  "WWW-Authenticate": 'Basic realm="Your computer"',
  "Strict-Transport-Security": "max-age=1",
  "Report-To": "{}",
  SourceMap: "/evil.map",
  "Content-Location": "https://evil.example/",
  "Proxy-Authenticate": "Basic",
  "Sync-Scope": "all",
  "Cache-Control": "public, immutable, max-age=31536000",
};

describe("a forwarded answer has nothing of the server that could run code or redirect the user (security 4)", () => {
  test.each([
    "text/html",
    "image/svg+xml",
    "application/xhtml+xml",
    "text/javascript",
    "text/xml",
    "multipart/x-mixed-replace",
    "TEXT/HTML; charset=utf-7",
  ])("%s is forwarded as a download, or as a picture that cannot run scripts", async (type) => {
    const { hostile, client } = await startVictim();
    for (const method of ["GET", "POST"])
      hostile.answer(
        `${method} /api/`,
        (res) => void res.writeHead(200, { ...foreign, "Content-Type": type }).end(script),
      );
    for (const path of forwardedPaths) {
      const { headers, text, status } = await client.get(path);
      expect([status, text], path).toEqual([200, script]);
      const isAvatar = path.includes("avatar.svg") && type === "image/svg+xml";
      const expected = isAvatar ? "image/svg+xml; charset=utf-8" : "application/octet-stream";
      expect(headers.get("content-type"), path).toBe(expected);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("content-security-policy"), path).toBe("default-src 'none'; sandbox");
      const caching = path.includes("token=") ? "no-store" : "private, no-cache";
      expect(headers.get("cache-control"), path).toBe(caching);
      if (!isAvatar) expect(headers.get("content-disposition"), path).toMatch(/^attachment/);
      for (const name of Object.keys(foreign)) {
        if (/^(?:content-security|x-content|cache-control)/i.test(name)) continue;
        expect(headers.get(name), `${path}: ${name}`).toBeNull();
      }
    }
  });

  test("JSON, exports, pictures and PDF keep their types and cannot run scripts", async () => {
    const { hostile, client } = await startVictim();
    for (const [type, policy] of [
      ["application/json", "default-src 'none'; sandbox"],
      ["application/x-dc+xml", "default-src 'none'; sandbox"],
      ["image/png", "default-src 'none'; sandbox"],
      ["application/pdf", "default-src 'none'"],
    ] as const) {
      hostile.answer("GET /api/records", (res) => void res.writeHead(200, { "Content-Type": type }).end("{}"));
      const { headers } = await client.get(`/api/records/${id}/files/a/content?token=x`);
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("content-security-policy")).toBe(policy);
    }
  });

  test("the replica follows no redirect, and forwards one only within its own API", async () => {
    const { hostile, client, replica } = await startVictim();
    const path = `/api/records/${id}?token=x`;
    const redirectTo = (place: string, status = 301) =>
      hostile.answer("GET /api/records", (res) => void res.writeHead(status, { Location: place }).end());
    for (const place of [
      "https://evil.example/",
      "//evil.example/",
      "javascript:alert(1)",
      `${hostile.url}.evil.example/`,
      `${hostile.url}//evil.example/`,
      `${hostile.url}/api/sync/session`,
      `${hostile.url}/api/records/../sync/status`,
      `${hostile.url}/`,
      "/api/records",
    ]) {
      redirectTo(place);
      const answer = await client.get(path);
      expect([answer.status, answer.headers.get("location")], place).toEqual([503, null]);
    }
    redirectTo(`${hostile.url}/api/records/other-id`);
    const answer = await client.get(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([301, `${replica.url}/api/records/other-id`]);
  });

  test("a write is never redirected to another write", async () => {
    const { hostile, client, replica } = await startVictim();
    const redirectTo = (place: string) =>
      hostile.answer("POST /api/records", (res) => void res.writeHead(308, { Location: hostile.url + place }).end());
    const path = `/api/records/${id}/restore`;
    for (const place of [
      "/api/sync/connect?data=remove&force=true",
      "/api/records/other-id/delete",
      "/api/groups",
      "/api/records/other-id/restore?x=1",
    ]) {
      redirectTo(place);
      expect((await client.post(path)).status, place).toBe(503);
    }
    redirectTo("/api/records/other-id/restore");
    const answer = await client.post(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      308,
      `${replica.url}/api/records/other-id/restore`,
    ]);
  });
});
