import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBucket } from "../../server/open-blobs.ts";
import { openServer } from "../../server/open-server.ts";
import { Bucket } from "../../server/s3/bucket.ts";
import { parseBucketAddress } from "../../server/s3/bucket-address.ts";
import { readObject } from "../../server/s3/bucket-stream.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { checkData } from "../../server/upkeep/check.service.ts";
import type { Finding } from "../../server/upkeep/finding.ts";
import { moveBytes } from "../../server/upkeep/move-bytes.service.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { allOf } from "../support/all-of.ts";
import { startStore } from "../support/engines/bucket.ts";
import { cutOff, onlyFor, refusal, StoreProxy } from "../support/engines/store-proxy.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";

const mebibyte = 1024 * 1024;
const partial = { "content-type": "application/partial-upload" };
const store = await startStore();
afterAll(() => store?.stop());

describe.skipIf(!store)("carrel check, backup and move of bytes in a bucket (scale 6, 9)", () => {
  let folder: string;
  let data: string;
  let proxy: StoreProxy;
  let address: string;
  let token: string;
  const large = randomBytes(9 * mebibyte);

  /** Runs a server on a data folder for as long as the work lasts. */
  async function serving<T>(dataDir: string, work: (client: HttpClient) => Promise<T>): Promise<T> {
    const server = await openServer({
      ...{ dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings },
      ...{ environment: machineEnvironment(), log: createLog("error") },
    });
    try {
      const { users, tokens } = server.services;
      if (!token) {
        const card = { username: "ada", email: "ada@example.org", full_name: "Ada" };
        const userId = await users.create(newUser.parse(card));
        const grant = { userId, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
        token = (await tokens.issue(grant, { name: "tests" })).secret;
      }
      return await work(new HttpClient(server.url, token));
    } finally {
      await server.close();
    }
  }

  async function findings(repair = false): Promise<Finding[]> {
    return allOf(checkData(data, repair));
  }

  /** Runs a query on the stopped server's database. */
  async function rows<T>(work: (db: ReturnType<typeof openDatabase>["db"]) => Promise<T>): Promise<T> {
    const { db, close } = openDatabase(join(data, "carrel.sqlite"));
    return work(db).finally(close);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-bucket-upkeep-"));
    data = join(folder, "data");
    proxy = new StoreProxy(store?.port ?? 0);
    await proxy.listen();
    address = store?.freshAddress(proxy.url) ?? "";
    return async () => {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    };
  });

  test("there and back: every file, unfinished uploads, a cut in the middle goes on, the server notices nothing", async () => {
    const begun = await serving(data, async (ada) => {
      const id = await givenDraft(ada);
      for (const at of [1, 2, 3]) await addFile(ada, id, `${at}.txt`, `file ${at}`);
      await addFile(ada, id, "large.bin", large);
      must(await ada.post(filesOf(id), [{ key: "half.bin" }]), 201);
      const half = { headers: { "upload-complete": "?0" } };
      must(await ada.putBytes(`${fileOf(id, "half.bin")}/content`, large.subarray(0, 8_500_000), half), 201);
      return id;
    });

    let puts = 0;
    proxy.fault = onlyFor(/^PUT .*blobs/, (req, res) => {
      puts += 1;
      return puts > 2 && refusal(403, "AccessDenied")(req, res);
    });
    await expect(moveBytes(data, address)).rejects.toThrow("refuses the keys");
    expect(existsSync(join(data, "blobs"))).toBe(true);
    await serving(data, async (ada) => {
      expect((await ada.get(`${fileOf(begun, "1.txt")}/content`)).text).toBe("file 1");
    });

    proxy.fault = undefined;
    proxy.forget();
    const { code, stdout, stderr } = await runCarrel("move", "--data", data, "--blobs", address);
    expect([code, stderr]).toEqual([0, expect.stringContaining("4 of 4 blobs")]);
    expect(JSON.parse(stdout)).toMatchObject({
      event: "moved",
      blobs: 4,
      missing: [],
      place: expect.stringMatching(/^s3:/),
    });
    expect(readdirSync(data).filter((name) => name.startsWith("blobs"))).toEqual([
      expect.stringMatching(/^blobs[.]moved-\d+$/),
    ]);
    expect(await findings()).toEqual([]);

    await serving(data, async (ada) => {
      expect((await ada.get(`${fileOf(begun, "large.bin")}/content`)).bytes.equals(large)).toBe(true);
      const half = `${fileOf(begun, "half.bin")}/content`;
      expect((await ada.head(half)).headers.get("upload-offset")).toBe("8500000");
      const headers = { ...partial, "upload-offset": "8500000", "upload-complete": "?1" };
      must(await ada.call("PATCH", half, large.subarray(8_500_000), { headers }), 200);
      must(await ada.post(`${fileOf(begun, "half.bin")}/commit`), 200);
      await addFile(ada, begun, "later.txt", "written into the bucket");
    });
    await expect(moveBytes(data, address)).rejects.toThrow("already");

    expect((await moveBytes(data, undefined)).blobs).toBe(5);
    expect(await findings()).toEqual([]);
    await serving(data, async (ada) => {
      for (const name of ["large.bin", "half.bin"]) {
        expect((await ada.get(`${fileOf(begun, name)}/content`)).bytes.equals(large), name).toBe(true);
      }
      expect((await ada.get(`${fileOf(begun, "later.txt")}/content`)).text).toBe("written into the bucket");
    });
    await expect(moveBytes(data, undefined)).rejects.toThrow("already");
    // The objects of before stay in their place, so this one is another.
    address = store?.freshAddress(proxy.url) ?? "";
    await moveBytes(data, address);
  });

  test("a running server is not moved", async () => {
    await serving(data, async () => {
      const { code, stderr } = await runCarrel("move", "--data", data, "--folder");
      expect([code, stderr]).toEqual([1, expect.stringContaining("is in use by process")]);
    });
  });

  test("check finds a lost object, a changed one, and what no row names; it removes only the last", async () => {
    expect(await findings()).toEqual([]);
    const bucket = new Bucket(parseBucketAddress(address));
    const all = await rows((db) => db.selectFrom("bucket_object").selectAll().orderBy("size").execute());
    const [lost, changed] = all;
    if (!lost || !changed) throw new Error("there are no files");
    await bucket.remove(lost.object);
    const whole = { start: 0, end: changed.size };
    const original = Buffer.concat(await (await readObject(bucket, changed.object, whole)).toArray());
    await bucket.put(changed.object, Buffer.alloc(changed.size, "x"));
    await bucket.put("blobs/orphan", Buffer.from("orphan"));
    await bucket.beginParts("blobs/begun");
    const found = await findings();
    expect(found.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        `The blob ${lost.sha256} is missing.`,
        expect.stringMatching(`The content of the blob ${changed.sha256} is damaged: its sha256 is`),
        "No row refers to the object blobs/orphan.",
        "No row refers to the object blobs/begun.",
      ]),
    );
    expect(found.filter(({ isHarmless }) => isHarmless)).toHaveLength(2);
    // Both are new: a call could be about to name them.
    expect((await findings(true)).filter(({ repaired }) => repaired)).toEqual([]);
    expect(await bucket.sizeOf("blobs/orphan")).toBe(6);
    proxy.fault = cutOff;
    await expect(findings()).rejects.toThrow("cannot be used at present");
    proxy.fault = undefined;

    // The same bytes again heal the lost one.
    await serving(data, async (ada) => {
      const id = await givenDraft(ada);
      for (const text of ["file 1", "file 2", "file 3"]) await addFile(ada, id, `${text}.txt`, text);
    });
    expect((await findings()).map(({ what }) => what)).not.toContain(`The blob ${lost.sha256} is missing.`);
    await bucket.put(changed.object, original);
    expect((await findings()).filter(({ isHarmless }) => !isHarmless)).toEqual([]);
    bucket.close();
  });

  test("a backup has the bytes, and is restored into a folder", async () => {
    const id = await serving(data, async (ada) => {
      const draft = await givenDraft(ada);
      await addFile(ada, draft, "kept.bin", large);
      return draft;
    });
    const file = join(folder, "made.zip");
    const report = await writeBackup(data, file);
    expect(report.missing).toEqual([]);
    expect((await readFile(file)).byteLength).toBeGreaterThan(large.byteLength);
    const restored = join(folder, "restored");
    await restoreBackup(file, restored);
    const { db, close } = openDatabase(join(restored, "carrel.sqlite"));
    expect(await findBucket(db)).toBeUndefined();
    await close();
    await serving(restored, async (ada) => {
      expect((await ada.get(`${fileOf(id, "kept.bin")}/content`)).bytes.equals(large)).toBe(true);
    });
    expect((await allOf(checkData(restored, false))).filter(({ isHarmless }) => !isHarmless)).toEqual([]);
  });

  test("a command that needs no bytes needs no keys and no store", async () => {
    proxy.fault = cutOff;
    const { code, stdout } = await runCarrel("users", "list", "--data", data);
    expect([code, stdout]).toEqual([0, expect.stringContaining("ada@example.org")]);
    proxy.fault = undefined;
  });
});
