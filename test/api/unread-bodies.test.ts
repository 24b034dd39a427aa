import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { listRoutes } from "../support/routes.ts";
import { until } from "../support/until.ts";

const limitBytes = 1024 * 1024;
/** More than sockets and streams buffer, so that the server must read it. */
const bodyBytes = 3 * limitBytes;

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const chunked = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")]);

/** Sends a call followed by `GET /ping` on one connection. @returns the status lines of both answers. */
async function statusesOnOneConnection(url: string, { method, path, headers, body }: Call): Promise<string[]> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const head = (first: string, more: string[]): string => `${[first, ...more].join("\r\n")}\r\n\r\n`;
  socket.write(head(`${method} ${path} HTTP/1.1`, lines));
  socket.write(body);
  socket.write(head("GET /ping HTTP/1.1", [`host: ${host}`]));
  const statuses = () => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  await until(() => statuses().length > 1 || isClosed, `${method} ${path} and the call after it are answered`);
  socket.destroy();
  return statuses().map((line) => line.slice(-3));
}

describe.each(roles)("a body that nobody waits for, on the %s (fault 3)", (role) => {
  let api: Api;
  let alice: HttpClient;
  beforeAll(async () => {
    api = await startApi(role, { settings: { max_file_bytes: limitBytes } });
    alice = await api.withSettings("alice");
    await api.as("bob");
    return () => api.close();
  });

  test.each([["chunked"], ["with its length"]])(
    "an upload beyond the limit, %s: the next call is answered",
    async (way) => {
      const isChunked = way === "chunked";
      const draft = await givenDraft(alice);
      await alice.post(filesOf(draft), [{ key: "a" }]);
      const { request } = await givenSubmitted(api, "alice", "bob");
      const octets = "application/octet-stream";
      const partial = { "content-type": "application/partial-upload", "upload-offset": "0", "upload-complete": "?1" };
      const blob = `/api/sync/blobs/${"a".repeat(64)}`;
      const calls: [method: string, path: string, headers: Record<string, string>, size: number, status: string][] = [
        ["PUT", `${fileOf(draft, "a")}/content`, { "content-type": octets }, bodyBytes, "400"],
        ["PATCH", `${fileOf(draft, "a")}/content`, partial, bodyBytes, "400"],
        ["PUT", `/api/requests/${request}/files/upload/a`, { "content-type": octets }, 13_000_000, "400"],
        ["PUT", blob, { "content-type": octets }, bodyBytes, "413"],
        ["PATCH", blob, partial, bodyBytes, "413"],
      ];
      for (const [method, path, headers, size, status] of calls) {
        const bytes = Buffer.alloc(size);
        const length: Record<string, string> = isChunked
          ? { "transfer-encoding": "chunked" }
          : { "content-length": String(size) };
        const all = { authorization: alice.authorization, ...headers, ...length };
        const body = isChunked ? chunked(bytes) : bytes;
        const statuses = await statusesOnOneConnection(alice.url, { method, path, headers: all, body });
        expect([method, path, ...statuses]).toEqual([method, path, status, "200"]);
      }
    },
  );

  test("every route that refuses before it has read the body: the next call is answered", async () => {
    const body = chunked(Buffer.alloc(bodyBytes / 4, "x"));
    const routes = listRoutes(api).map((route) => route.split(" ") as [string, string]);
    const withBody = routes.filter(([verb]) => !["GET", "HEAD"].includes(verb));
    expect(withBody.length).toBeGreaterThan(50);
    const wedged: string[] = [];
    for (const [verb, pattern] of withBody) {
      const method = verb === "*" ? "PUT" : verb;
      const path = `${pattern.startsWith("/api") ? "" : "/api"}${pattern}`
        .replace("*path", "a/content")
        .replace(/:\w+/g, "x");
      for (const type of ["application/octet-stream", "application/json"]) {
        const headers = { authorization: alice.authorization, "content-type": type, "transfer-encoding": "chunked" };
        const [first, second] = await statusesOnOneConnection(alice.url, { method, path, headers, body });
        if (!/^[245]/.test(first ?? "") || second !== "200")
          wedged.push(`${method} ${path} ${type}: ${first} ${second}`);
      }
    }
    expect(wedged).toEqual([]);
  });
});
