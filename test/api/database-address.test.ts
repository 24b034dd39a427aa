import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serverCommand } from "../../server/commands/server.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { freePort } from "../support/engines/free-port.ts";

test("a database that cannot be reached is named with the reason; the folder does not note it (scale 5)", async () => {
  const data = await mkdtemp(join(tmpdir(), "carrel-address-"));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const start = async (password = "") => {
    const port = await freePort();
    const address = (secret: string) => `postgres://carrel${secret}@127.0.0.1:${port}/carrel`;
    const failed = await serverCommand
      .run(["--data", data, "--port", "0", "--database", address(password)])
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Failure);
    expect((failed as Failure).message).toBe(
      `The database ${address("")} cannot be used (connect ECONNREFUSED 127.0.0.1:${port}).`,
    );
    expect(existsSync(join(data, "database.url"))).toBe(false);
  };
  await start();
  // Not refused because of the first address.
  await start(":secret");
});
