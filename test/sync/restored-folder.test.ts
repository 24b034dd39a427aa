import { copyFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { recall } from "../../main/sync/person.repository.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { HttpClient } from "../support/http-client.ts";

const database = "carrel.sqlite";

/** Opens a folder, records one operation in it, and closes it. @returns the last operation that may be of a backup. */
async function startIn(dataDir: string): Promise<number | undefined> {
  const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0, startPaused: true };
  const replica = await openReplica({ ...common, dataDir });
  const client = new HttpClient(replica.url, replica.guard.secret);
  expect((await client.post("/api/records", { metadata: { title: "Ice" }, files: { enabled: false } })).status).toBe(
    201,
  );
  const restored = await recall(replica.host.db, "restored");
  await replica.close();
  return restored;
}

test("a replica notices at its start that its folder, or the database alone, is from a backup or a copy (upstreams U2)", async () => {
  const parent = await mkdtemp(join(tmpdir(), "carrel-restored-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const [desk, copy, backup] = ["desk", "copy", "backup"].map((name) => join(parent, name)) as [string, string, string];
  expect(await startIn(desk)).toBe(0);
  expect(await startIn(desk)).toBe(0);

  await cp(desk, copy, { recursive: true });
  expect(await startIn(copy)).toBe(2);
  expect(await startIn(copy)).toBe(2);
  expect(await startIn(desk)).toBe(0);

  await copyFile(join(desk, database), backup);
  expect(await startIn(desk)).toBe(0);
  // Written over the file that is there, which keeps its number.
  await copyFile(backup, join(desk, database));
  expect(await startIn(desk)).toBe(3);
});
