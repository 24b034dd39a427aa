import { beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { answerTo } from "../support/raw-request.ts";

const body = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const end = "0\r\n\r\n";

/** What the client writes: `HOST` and `AUTH` stand for its own; lines, then a body. */
type Row = [what: string, status: number, request: string, lines: string[], body?: string];

const heads: Row[] = [
  ["one Host", 200, "GET /ping HTTP/1.1", ["Host: HOST"]],
  ["Host in capitals", 200, "GET /ping HTTP/1.1", ["HOST: LOCALHOST:PORT"]],
  ["two different Hosts", 400, "GET /ping HTTP/1.1", ["Host: HOST", "Host: evil.example.org"]],
  ["two different Hosts, the other way round", 400, "GET /ping HTTP/1.1", ["Host: evil.example.org", "Host: HOST"]],
  ["two equal Hosts", 400, "GET /ping HTTP/1.1", ["Host: HOST", "host: HOST"]],
  ["two Hosts in HTTP/1.0", 400, "GET /ping HTTP/1.0", ["Host: HOST", "Host: HOST"]],
  ["no Host in HTTP/1.1", 400, "GET /ping HTTP/1.1", []],
  ...["", "a b", "HOST/path", "someone@HOST", "HOST?", "HOST#", "HOST\\a", "[::1", "HOST:port", "a<b"].map(
    (host): Row => [`the Host '${host}'`, 400, "GET /ping HTTP/1.1", [`Host: ${host}`]],
  ),
  ["a folded Host", 400, "GET /ping HTTP/1.1", ["Host: HOST", " evil.example.org"]],
  ["a blank before the colon", 400, "GET /ping HTTP/1.1", ["Host : HOST"]],
  ["an address of the Host", 200, "GET http://HOST/ping HTTP/1.1", ["Host: HOST"]],
  ["an address of another host", 400, "GET http://evil.example.org/ping HTTP/1.1", ["Host: HOST"]],
  ["an address of another port", 400, "GET http://127.0.0.1:1/ping HTTP/1.1", ["Host: HOST"]],
  ["an address with a user", 400, "GET http://someone@HOST/ping HTTP/1.1", ["Host: HOST"]],
  ["an address of the Host, another Host", 400, "GET http://HOST/ping HTTP/1.1", ["Host: evil.example.org"]],
];

const post = "POST /api/records HTTP/1.1";
const bodies: Row[] = [
  ["one Content-Length", 201, post, ["Host: HOST", "AUTH", body, "Content-Length: 2"], "{}"],
  ["two Content-Lengths", 400, post, ["Host: HOST", "AUTH", body, "Content-Length: 2", "Content-Length: 3"], "{} "],
  [
    "two equal Content-Lengths",
    400,
    post,
    ["Host: HOST", "AUTH", body, "Content-Length: 2", "Content-Length: 2"],
    "{}",
  ],
  ["a list as Content-Length", 400, post, ["Host: HOST", "AUTH", body, "Content-Length: 2, 2"], "{}"],
  ["a signed Content-Length", 400, post, ["Host: HOST", "AUTH", body, "Content-Length: +2"], "{}"],
  ["chunks", 201, post, ["Host: HOST", "AUTH", body, chunked], `2\r\n{}\r\n${end}`],
  ["chunks and a length", 400, post, ["Host: HOST", "AUTH", body, chunked, "Content-Length: 2"], `2\r\n{}\r\n${end}`],
  ["a length and chunks", 400, post, ["Host: HOST", "AUTH", body, "Content-Length: 2", chunked], `2\r\n{}\r\n${end}`],
  ["chunks twice", 400, post, ["Host: HOST", "AUTH", body, chunked, chunked], `2\r\n{}\r\n${end}`],
  ["chunks in HTTP/1.0", 400, "POST /api/records HTTP/1.0", ["Host: HOST", "AUTH", body, chunked], `2\r\n{}\r\n${end}`],
  ["a coding that is not chunked", 400, post, ["Host: HOST", "AUTH", body, "Transfer-Encoding: gzip"], "{}"],
  [
    "a coding inside chunks",
    501,
    post,
    ["Host: HOST", "AUTH", body, "Transfer-Encoding: gzip, chunked"],
    `2\r\n{}\r\n${end}`,
  ],
];

const once = ["Host: HOST", "AUTH", body, "Content-Length: 2"];
const doubles: Row[] = [
  ["two Authorizations", 400, post, [...once, "Authorization: Bearer another"], "{}"],
  ["two equal Authorizations", 400, post, [...once, "AUTH"], "{}"],
  ["two Content-Types", 400, post, [...once, "Content-Type: text/plain"], "{}"],
  ["two Idempotency-Keys", 400, post, [...once, "Idempotency-Key: a", "Idempotency-Key: b"], "{}"],
  ["two Cookies, as RFC 6265 lets proxies pass them on", 201, post, [...once, "Cookie: a=1", "Cookie: a=2"], "{}"],
  ["two X-Forwarded-For", 201, post, [...once, "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"], "{}"],
];

describe.each(roles)("heads of requests on the %s (issue 15, RFC 9112)", (role) => {
  let api: Api;
  let alice: HttpClient;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    return () => api.close();
  });

  function send(request: string, lines: string[], text = ""): Promise<string> {
    const { host, port } = new URL(alice.url);
    const head = [request, ...lines, "Connection: close"]
      .join("\r\n")
      .replaceAll("HOST:", "Host:")
      .replaceAll("AUTH", `Authorization: ${alice.authorization}`)
      .replaceAll("HOST", host)
      .replaceAll("PORT", port);
    return answerTo(alice.url, `${head}\r\n\r\n${text}`);
  }

  test.each([...heads, ...bodies, ...doubles])("%s is %i", async (_what, status, request, lines, text) => {
    const answer = await send(request, lines, text);
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
    if (status >= 400) {
      expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({ status, message: expect.stringMatching(/\w/) });
    }
  });

  test("headers of one value that are joined from two lines are refused where they are read", async () => {
    const { body: draft } = await alice.post("/api/records", {});
    const url = `/api/records/${draft.id}/draft`;
    await alice.post(`${url}/files`, [{ key: "a" }]);
    const write = (path: string, more: string[]) =>
      send(`PUT ${path} HTTP/1.1`, ["Host: HOST", "AUTH", "Content-Length: 2", ...more], "{}");
    expect(await write(url, [body, "If-Match: 1", "If-Match: 2"])).toMatch(/^HTTP\/1\.1 400 /);
    const content = `${url}/files/a/content`;
    for (const [first, second] of [
      ["Content-Range: bytes 0-1/2", "Content-Range: bytes 0-1/2"],
      ["Upload-Complete: ?0", "Upload-Complete: ?1"],
      ["Upload-Length: 2", "Upload-Length: 3"],
    ] as const) {
      const octets = "Content-Type: application/octet-stream";
      expect(await write(content, [octets, first, second]), first).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test("an address with letters that are not percent-encoded is told so", async () => {
    const answer = await send("GET /api/records?q=Müller HTTP/1.1", ["Host: HOST"]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*percent-encoded, such as %C3%BC for ü\."\}$/s);
  });

  test("an upgrade with two Hosts is 400 as well", async () => {
    const upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
    const { host } = new URL(alice.url);
    const lines = ["GET /api/sync/documents/draft:abcde-fgh23 HTTP/1.1", `Host: ${host}`, "Host: evil.example.org"];
    const text = [...lines, `Authorization: ${alice.authorization}`, "Connection: Upgrade", ...upgrade].join("\r\n");
    expect(await answerTo(alice.url, `${text}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
