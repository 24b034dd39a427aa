import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { realMachine } from "../../main/upstreams/invenio/machine.ts";
import { answerMsOf } from "../../main/upstreams/invenio/upload.policy.ts";

/** A proxy that takes the bytes whole and answers much later. */
async function givenSlowServer(afterMs: number): Promise<URL> {
  const server = createServer((req, res) => {
    req.resume().once("end", () => setTimeout(() => res.writeHead(200).end("{}"), afterMs));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/content`);
}

async function* bytes() {
  yield Buffer.from("tides");
}

const upload = (url: URL, limits: { timeoutMs: number; answerMs: number }) =>
  realMachine.send({
    ...{ method: "PUT", url, headers: { "content-length": "5" }, timeoutMs: limits.timeoutMs },
    body: { size: 5, source: bytes(), answerMs: limits.answerMs },
  });

describe("servers that answer an upload late", () => {
  test("an answer after the last byte may take longer than a pause between bytes (upstreams F10)", async () => {
    const url = await givenSlowServer(1500);
    const { statusCode } = await upload(url, { timeoutMs: 300, answerMs: 60_000 });
    expect(statusCode).toBe(200);
  });

  test("an answer that does not come at all ends the call (upstreams F10)", async () => {
    const url = await givenSlowServer(60_000);
    await expect(upload(url, { timeoutMs: 60_000, answerMs: 200 })).rejects.toThrow("time-out");
  });

  test("large files get more time, each further try twice as much, and never more than an hour (upstreams F10)", () => {
    const [small, large] = [1, 6_000_000_000];
    expect([0, 1, 2, 3].map((lost) => answerMsOf(small, lost) / 60_000)).toEqual([2, 4, 8, 16]);
    expect([0, 1, 2, 3].map((lost) => answerMsOf(large, lost) / 60_000)).toEqual([20, 40, 60, 60]);
  });
});
