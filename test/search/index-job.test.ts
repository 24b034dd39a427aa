import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { recordSearchRules, recordSearchService } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { rebuildIndex, startIndexJob } from "../../shared/search/sqlite/index-job.ts";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { Random } from "../support/random.ts";
import { epoch, randomFamily, store } from "./corpus.ts";

const service = recordSearchService({ now: () => epoch, settings: defaultSettings }, sqliteSearchIndex());
const admin = {
  userId: "9",
  roles: new Set(["superuser-access"]),
  scopes: new Set<never>(),
  linkTokens: [],
  via: "token" as const,
};
const queries = [
  "",
  "data",
  "*ata",
  "metadata.*:open",
  '"open science"',
  "created:[2024-05-10 TO *]",
  "_exists_:metadata.publisher",
];

describe("rebuilding the index (search 12)", () => {
  test("gives what was there, however damaged it is, and forgets families that are gone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-index-"));
    const file = join(folder, "carrel.db");
    const { db, close } = openDatabase(file);
    const random = new Random(4);
    await store(
      db,
      Array.from({ length: 30 }, (_, at) => randomFamily(random, at)),
    );
    /** Of a connection of its own: what another one keeps in memory does not count. */
    const anew = async <T>(read: (db: Db) => Promise<T>): Promise<T> => {
      const other = openDatabase(file);
      try {
        return await read(other.db);
      } finally {
        await other.close();
      }
    };
    const answers = () => anew(readAnswers);
    const readAnswers = async (db: Db) => {
      const totals = [];
      for (const q of queries) {
        const request = readSearch({ q, size: "1000" }, recordSearchRules);
        const { page, total } = await service.search(db, { caller: admin, request, scope: "published" });
        totals.push([q, total, page.map(({ id }) => id).sort()]);
      }
      return totals;
    };
    const before = await answers();
    for (const table of ["search_text", "search_term", "search_number"])
      await sql`delete from ${sql.table(table)}`.execute(db);
    expect(await answers()).not.toEqual(before);
    expect(await rebuildIndex(db)).toBe(30);
    expect(await answers()).toEqual(before);

    const missingId = "parent-3";
    for (const table of ["record", "draft", "file_entry"] as const)
      await db.deleteFrom(table).where("parent_id", "=", missingId).execute();
    await db.deleteFrom("parent").where("id", "=", missingId).execute();
    expect(await rebuildIndex(db)).toBe(30);
    const request = readSearch({ q: `parent.id:${missingId}`, allversions: "1" }, recordSearchRules);
    const found = await anew((other) => service.search(other, { caller: admin, request, scope: "published" }));
    expect(found.total).toBe(0);
    await close();
    await rm(folder, { recursive: true });
  });

  test("happens by itself once, when the version of the index has changed", async () => {
    const { db, close } = openDatabase(":memory:");
    const random = new Random(5);
    await store(
      db,
      Array.from({ length: 5 }, (_, at) => randomFamily(random, at)),
    );
    await sql`delete from search_text`.execute(db);
    const job = { db, log: createLog("silent") };
    const countTexts = async () =>
      (await sql<{ count: number }>`select count(*) as count from search_text`.execute(db)).rows[0]?.count;
    const wait = async (stop: () => Promise<void>) => {
      while (
        (await db.selectFrom("setting").select("name").where("name", "=", "search.version").execute()).length === 0
      )
        await new Promise((resolve) => setTimeout(resolve, 2));
      await stop();
    };
    await wait(startIndexJob(job));
    const count = await countTexts();
    expect(count).toBeGreaterThan(0);
    await sql`delete from search_text`.execute(db);
    await wait(startIndexJob(job));
    expect(await countTexts()).toBe(0);
    await close();
  });
});
