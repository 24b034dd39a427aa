import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isInsecureAddress } from "../../shared/sync-protocol/connect.schema.ts";
import { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { newReplica } from "../support/two-replicas.ts";

/** Nobody answers there (RFC 5737); without a confirmation nobody is asked. */
const server = "http://192.0.2.1:9";

describe("signing in needs https, or an address that the user has confirmed (security 4)", () => {
  test.each([
    ["https://library.example.org", false],
    ["http://127.0.0.1:5000", false],
    ["http://127.1:5000", false],
    ["http://localhost:5000", false],
    ["http://[::1]:5000", false],
    ["http://library.example.org", true],
    ["http://127.0.0.1.evil.example", true],
    ["http://localhost.evil.example", true],
    ["http://evil.example/127.0.0.1", true],
    ["http://localhost@evil.example", true],
    ["http://0.0.0.0:5000", true],
  ])("%s", (address, isInsecure) => {
    expect(isInsecureAddress(new URL(address))).toBe(isInsecure);
  });

  test("refused with a reason before anything is sent; `allow_insecure` permits it", async () => {
    const replica = await newReplica();
    const client = new HttpClient(replica.url, replica.guard.secret);
    const hosts: string[] = [];
    const note = (message: unknown) => {
      const request = (message as { request: ClientRequest }).request;
      hosts.push(request.host);
      // Not from a test.
      request.destroy(new Error("cut"));
    };
    subscribe("http.client.request.created", note);
    onTestFinished(() => void unsubscribe("http.client.request.created", note));
    for (const credential of [{ token: "t" }, { account: "ada", password: "p" }]) {
      for (const rest of [{}, { allow_insecure: false }]) {
        const answer = await client.post("/api/sync/connect", { server, ...credential, ...rest });
        expect(answer).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining("not encrypted"), errors: [{ field: "allow_insecure" }] },
        });
      }
      expect(hosts).toEqual([]);
      const answer = await client.post("/api/sync/connect", { server, ...credential, allow_insecure: true });
      expect(answer.status).toBe(400);
      expect(answer.body.message).not.toContain("not encrypted");
      expect(hosts.splice(0)).toEqual(["192.0.2.1"]);
    }
    expect((await client.get("/api/sync/status")).body).toMatchObject({ state: "local", server: null });
  });
});

test("carrel replica refuses such an address without --insecure, and says so in --help (security 4)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { code, stderr } = await runCarrel("replica", "--data", folder, "--server", server, "--token", "t");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/not encrypted.*or add --insecure\.$/m)]);
  expect((await runCarrel("replica", "--help")).stdout).toContain("--insecure");
});
