import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openServer } from "../../server/open-server.ts";
import { checkData } from "../../server/upkeep/check.service.ts";
import { moveRows } from "../../server/upkeep/move.service.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { startPostgres } from "../support/engines/postgres.ts";
import { filesOf } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { givenDraft, givenRecord, metadata } from "../support/records.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

/** Runs a server on a data folder for as long as the work lasts. */
async function serving<T>(dataDir: string, work: (url: string, token: string) => Promise<T>): Promise<T> {
  const server = await openServer({
    ...{ dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings },
    ...{ environment: machineEnvironment(), log: createLog("error") },
  });
  try {
    const { users, tokens } = server.services;
    const ada = (await users.list(server.host.db)).find(({ username }) => username === "ada");
    const userId =
      ada?.id ?? (await users.create(newUser.parse({ username: "ada", email: "ada@example.org", full_name: "Ada" })));
    const grant = { userId, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
    return await work(server.url, (await tokens.issue(grant, { name: "tests" })).secret);
  } finally {
    await server.close();
  }
}

describe.skipIf(!postgres)("carrel move (issue 19, step 2)", () => {
  test("a server goes on in PostgreSQL, and back in SQLite: records, files, search, feed, accounts (issue 19.2)", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-move-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const database = await postgres?.freshDatabase();
    const address = database?.address ?? "";

    const begun = await serving(dataDir, async (url, token) => {
      const ada = new HttpClient(url, token);
      const record = await givenRecord(ada);
      const draft = await givenDraft(ada, { metadata: { ...metadata, title: "Begun in SQLite" } });
      await ada.post(filesOf(draft), [{ key: "a.txt" }]);
      await ada.putBytes(`${filesOf(draft)}/a.txt/content`, "bytes");
      await ada.post(`${filesOf(draft)}/a.txt/commit`);
      const cursor: string = (await ada.get("/api/sync/changes?limit=500")).body.cursor;
      return { record, draft, cursor, token };
    });

    const { code, stdout, stderr } = await runCarrel("move", "--data", dataDir, "--database", address);
    expect([code, stderr.split("\n").at(-2)]).toEqual([0, expect.stringMatching(/: \d+ rows$/)]);
    expect(JSON.parse(stdout)).toMatchObject({ event: "moved", place: address, rows: expect.any(Number) });
    expect(existsSync(join(dataDir, "carrel.sqlite"))).toBe(false);

    const cursor = await serving(dataDir, async (url) => {
      // The token of before, and a replica that has the cursor of before.
      const ada = new HttpClient(url, begun.token);
      expect((await ada.get(`/api/records/${begun.record}`)).status).toBe(200);
      expect((await ada.get(`${filesOf(begun.draft)}/a.txt/content`)).text).toBe("bytes");
      expect((await ada.get("/api/user/records?q=SQLite")).body.hits.total).toBe(1);
      await ada.put(`/api/records/${begun.draft}/draft`, { metadata: { ...metadata, title: "Changed in PostgreSQL" } });
      const { changes, cursor } = (await ada.get(`/api/sync/changes?cursor=${begun.cursor}`)).body;
      expect(changes).toMatchObject([{ kind: "family" }]);
      return cursor;
    });

    await expect(moveRows(dataDir, address)).rejects.toThrow("already");
    const addressOfRows = await readFile(join(dataDir, "database.url"), "utf8");
    const back = await moveRows(dataDir, undefined);
    expect(back.place).toBe(join(dataDir, "carrel.sqlite"));
    // As if the process had been killed before its last step: the folder still names the database that was left.
    await writeFile(join(dataDir, "database.url"), addressOfRows);
    await expect(serving(dataDir, async () => undefined)).rejects.toThrow("'carrel move --sqlite' completes it");
    expect(await moveRows(dataDir, undefined)).toEqual(back);
    // The search index, too, before a server has been started (issue 19).
    for await (const finding of checkData(dataDir, false)) expect(finding).toBeUndefined();
    await serving(dataDir, async (url) => {
      const ada = new HttpClient(url, begun.token);
      expect((await ada.get("/api/user/records?q=PostgreSQL")).body.hits.total).toBe(1);
      expect((await ada.get(`/api/sync/changes?cursor=${cursor}`)).body.changes).toEqual([]);
    });
    // The database that was left would be a second authority.
    await expect(moveRows(dataDir, address)).rejects.toThrow(/was moved to .* needs an empty database\.$/);
    expect(existsSync(join(dataDir, "carrel.sqlite"))).toBe(true);
  });

  test("a running server is not moved, nor one into a database in use; its rows stay where they are", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-move-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const address = (await postgres?.freshDatabase())?.address ?? "";
    await serving(dataDir, async () => {
      const { code, stderr } = await runCarrel("move", "--data", dataDir, "--database", address);
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining("is in use by process")]);
    });
    await moveRows(dataDir, address);
    const other = await mkdtemp(join(tmpdir(), "carrel-move-"));
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    await serving(other, async () => undefined);
    await expect(moveRows(other, address)).rejects.toThrow(
      /is not empty, and a move never writes over rows\. Name an empty/,
    );
    await serving(other, async (url) => expect((await new HttpClient(url).get("/healthz")).status).toBe(200));
  });
});
