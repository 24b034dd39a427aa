import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { mostExpansion } from "../../shared/kernel/body-coding.ts";
import { startApi } from "../support/api.ts";

const json = { "content-type": "application/json" };

async function givenPush() {
  const api = await startApi("server");
  const { token } = await api.person("ada");
  const headers = { ...json, authorization: `Bearer ${token}` };
  return async (body: Uint8Array, coding: string, path = "/api/sync/push") => {
    const answer = await fetch(api.server.url + path, {
      method: "POST",
      headers: { ...headers, "content-encoding": coding },
      body: Buffer.from(body),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
}

const operations = (title: string) => {
  const payload = { id: "abcde-fgh12", input: { metadata: { title } } };
  const operation = { id: "01890000-0000-7000-8000-000000000001", kind: "no.command", version: 1, payload };
  return Buffer.from(JSON.stringify({ operations: [operation] }));
};

test("a push is compressed by brotli or not at all; other calls take no coding (hosts-and-sync 6, Push)", async () => {
  const push = await givenPush();
  const plain = operations("Deep sea core");
  const taken = await push(brotliCompressSync(plain), "br");
  const asItIs = await push(plain, "identity");
  expect([taken.status, taken.body]).toEqual([asItIs.status, asItIs.body]);
  for (const [bytes, coding] of [
    [gzipSync(plain), "gzip"],
    [brotliCompressSync(brotliCompressSync(plain)), "br, br"],
  ] as const) {
    const refused = await push(bytes, coding);
    expect([refused.status, refused.headers.get("accept-encoding")]).toEqual([415, "br, identity"]);
  }
  const elsewhere = await push(brotliCompressSync(plain), "br", "/api/records");
  expect([elsewhere.status, elsewhere.headers.get("accept-encoding")]).toEqual([415, "identity"]);
});

test("damaged or cut bytes of a compressed push are 400 (hosts-and-sync 6, Push)", async () => {
  const push = await givenPush();
  const whole = brotliCompressSync(operations("Deep sea core"));
  for (const bytes of [whole.subarray(0, -3), Buffer.from("no brotli"), whole.fill(255, 4, 12)])
    expect((await push(bytes, "br")).status).toBe(400);
});

test("a few bytes that would take much memory are 413, before they do (security 8)", async () => {
  const push = await givenPush();
  const bomb = brotliCompressSync(operations("x".repeat(30_000_000)));
  expect(bomb.length * mostExpansion).toBeLessThan(100_000);
  const refused = await push(bomb, "br");
  expect([refused.status, refused.body.message]).toEqual([413, expect.stringContaining("larger than")]);
});
