import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/run.ts";
import { until } from "../support/until.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("npm run dev: a server, a connected replica and the pages, until it is told to stop (CONTRIBUTING)", async () => {
  const data = await mkdtemp(join(tmpdir(), "carrel-dev-"));
  const args = [join(repository, "test/dev.ts"), "--data", data, "--port", String(await freePort())];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  try {
    const address = /Local: +(\S+)/;
    await until(() => address.test(printed) || child.exitCode !== null, "the pages are served");
    const pages = address.exec(printed)?.[1] ?? "";
    expect(await (await fetch(pages)).text()).toContain("/@vite/client");
    const status = await (await fetch(`${pages}api/sync/status`)).json();
    expect(status).toMatchObject({ server: /^Server +(\S+)/m.exec(printed)?.[1], user: { username: "dev" } });
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
  await rm(data, { recursive: true, force: true, maxRetries: 5 });
});
