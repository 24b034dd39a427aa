import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { reindexCommand } from "../../server/commands/reindex.ts";
import { serverCommand } from "../../server/commands/server.ts";
import { usersCommand } from "../../server/commands/users.ts";
import type { CliCommand } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { freePort } from "../support/engines/free-port.ts";

async function givenData(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "carrel-search-"));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  await usersCommand.run(["create", "--data", data, "--username", "ada", "--email", "ada@example.org"]);
  return data;
}

/** What a command says when it fails. */
async function refusalOf({ run }: CliCommand, args: string[]): Promise<string> {
  const failed = await run(args).catch((error: unknown) => error);
  if (!(failed instanceof Failure)) throw new Error("no failure in words", { cause: failed });
  return failed.message;
}

test("reindex says which search engine cannot be used, and why (scale 4)", async () => {
  const data = await givenData();
  const port = await freePort();
  expect(await refusalOf(reindexCommand, ["--data", data, "--search", `opensearch+http://127.0.0.1:${port}/x`])).toBe(
    `The search engine at http://127.0.0.1:${port} cannot be used (connect ECONNREFUSED 127.0.0.1:${port}). Run it again later.`,
  );
});

test("a search engine that refuses the password is told in words (scale 4)", async () => {
  const data = await givenData();
  const error = { type: "security_exception", reason: "no such user" };
  const engine = createServer((_req, res) => res.writeHead(401).end(JSON.stringify({ error })));
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void engine.close());
  const place = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const address = `opensearch+http://carrel:wrong@${place}/x`;
  const words = `The search engine at http://${place} refuses this server. OpenSearch answered 401: security_exception: no such user.`;
  expect(await refusalOf(reindexCommand, ["--data", data, "--search", address])).toBe(words);
  expect(await refusalOf(serverCommand, ["--data", data, "--port", "0", "--search", address])).toBe(words);
});
