import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";

/** A disk of its own, small enough to fill; only an administrator of a Linux machine may make one. */
function mountSmallDisk(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "carrel-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], { stdio: "pipe" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = mountSmallDisk();
if (disk === undefined) process.stderr.write("disk full: not tested, since no small disk may be mounted here\n");

/** Takes all that is left. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filler"), Buffer.alloc(bavail * bsize));
}

describe.skipIf(disk === undefined)("a full disk (hosts-and-sync 7)", () => {
  const folder = disk ?? "";
  const data = join(folder, "server");
  let server: CarrelProcess;
  let grace: HttpClient;

  beforeAll(async () => {
    const card = ["--username", "grace", "--email", "grace@example.org", "--token", "test"];
    const created = await runCarrel("users", "create", "--data", data, ...card);
    server = new CarrelProcess(["server", "--data", data, "--port", "0", "--log-level", "fatal"]);
    const { url } = await server.ready();
    grace = new HttpClient(url, JSON.parse(created.stdout).token);
  });

  afterAll(async () => {
    await server.stop("SIGKILL");
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("the write is answered 507 in words; nothing is half-written; reads go on; freed, everything works", async () => {
    const { body } = await grace.post("/api/records", { metadata: { title: "Before" } });
    const path = `/api/records/${body.id}/draft`;
    await grace.post(`${path}/files`, [{ key: "large.bin" }]);
    const large = await grace.putBytes(`${path}/files/large.bin/content`, Buffer.alloc(40_000_000, 1));
    expect(large.status).toBe(507);
    expect(large.body.message).toMatch(/disk is full/i);
    expect((await grace.get(`${path}/files/large.bin`)).body.status).toBe("pending");

    fill(folder);
    let refused = { status: 0, message: "" };
    for (let attempt = 0; attempt < 200 && refused.status !== 507; attempt++) {
      const answer = await grace.post("/api/records", { metadata: { title: "During", version: "x".repeat(150) } });
      refused = { status: answer.status, message: answer.body.message };
    }
    expect(refused.status).toBe(507);
    expect(refused.message).toMatch(/full/);
    expect((await grace.get(path)).body.metadata.title).toBe("Before");

    rmSync(join(folder, "filler"));
    expect((await grace.post("/api/records", { metadata: { title: "After" } })).status).toBe(201);
    expect((await grace.putBytes(`${path}/files/large.bin/content`, Buffer.alloc(1_000_000, 1))).status).toBe(200);
    expect((await grace.post(`${path}/files/large.bin/commit`)).body.status).toBe("completed");
  }, 60_000);
});
