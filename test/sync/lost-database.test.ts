import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { isDamage } from "../../main/replica/salvage.ts";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";

const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0 };
const startReplica = (dataDir: string, isSalvage = false) =>
  openReplica({ ...common, dataDir, startPaused: false, isSalvage });
const startServer = (dataDir: string) =>
  openServer({ ...common, dataDir, hostName: "127.0.0.1", settings: defaultSettings });
const starts = { replica: startReplica, server: startServer };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-lost-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function loseDatabase(folder: string, how: "missing" | "empty"): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(join(folder, `carrel.sqlite${end}`), { force: true });
  if (how === "empty") await writeFile(join(folder, "carrel.sqlite"), "");
}

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).toSorted();

describe.each(["replica", "server"] as const)(
  "a %s never starts empty over existing data (hosts-and-sync 7)",
  (role) => {
    test.each(["missing", "empty"] as const)(
      "the database is %s: refused in words, and nothing changes",
      async (how) => {
        const folder = await newFolder();
        await (await starts[role](folder)).close();
        await loseDatabase(folder, how);
        const before = await namesIn(folder);
        for (let attempt = 0; attempt < 2; attempt++)
          await expect(starts[role](folder)).rejects.toThrow(/missing or empty.*Nothing was changed.*restore a backup/);
        expect(await namesIn(folder)).toEqual(before);
      },
    );

    test("a first start that was interrupted, and a secret that the operator brings, are no library", async () => {
      const folder = await newFolder();
      await writeFile(join(folder, "secret.key"), Buffer.alloc(32, 1));
      await writeFile(join(folder, "carrel.sqlite"), "");
      await mkdir(join(folder, "blobs"));
      await (await starts[role](folder)).close();
      await (await starts[role](folder)).close();
    });
  },
);

test("bytes without a database are refused, and a replica is salvaged with its files (hosts-and-sync 7)", async () => {
  const folder = await newFolder();
  const first = await startReplica(folder);
  const client = new HttpClient(first.url, first.guard.secret);
  await addFile(client, await givenDraft(client), "core.bin", "bytes of a core");
  await first.close();
  await loseDatabase(folder, "missing");
  await rm(join(folder, "secret.key"));
  const refusal: unknown = await startReplica(folder).catch((error: unknown) => error);
  expect(isDamage(refusal)).toBe(true);
  await (await startReplica(folder, true)).close();
  const again = await startReplica(folder);
  expect((await new HttpClient(again.url, again.guard.secret).get("/api/user/records")).status).toBe(200);
  await again.close();
});
