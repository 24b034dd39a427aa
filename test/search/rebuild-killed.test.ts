import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { openDataFolder } from "../../shared/kernel/data-folder.ts";
import { recordSearchRules } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { findDocuments } from "../../shared/search/sqlite/record-finder.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { Random } from "../support/random.ts";
import { epoch, randomFamily, store } from "./corpus.ts";

const families = 60;
const admin = { ...anonymous, userId: "1", roles: new Set(["superuser-access"]) };

describe("rebuilding the index of a server that is killed (search 12)", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-rebuild-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("goes on where it was when the server starts again, as does check --repair, and finds what was found before", async () => {
    const opened = openDataFolder(folder, "server");
    const { db, close } = openDatabase(opened.database);
    await opened.release();
    const setting = async (name: string) =>
      (await db.selectFrom("setting").select("value").where("name", "=", name).execute())[0]?.value;
    const until = async (fits: () => Promise<boolean>) => {
      while (!(await fits())) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const found = async () => {
      const totals: number[] = [];
      for (const q of ["", "data", "*ata", "metadata.*:open", "_exists_:metadata.publisher"]) {
        const request = readSearch({ q, allversions: "1" }, recordSearchRules);
        const search = { caller: admin, request, scope: "published" as const };
        totals.push((await findDocuments(db, { now: epoch, customFields: [] }, search)).total);
      }
      return totals;
    };

    const random = new Random(8);
    await store(
      db,
      Array.from({ length: families }, (_, at) => randomFamily(random, at)),
    );
    const before = await found();
    for (const table of ["search_text", "search_term", "search_number"])
      await sql`delete from ${sql.table(table)}`.execute(db);

    const first = new CarrelProcess(["server", "--data", folder, "--port", "0"]);

    await until(async () => (await setting("search.place")) !== undefined);
    await first.stop("SIGKILL");
    const place = await setting("search.place");
    expect(place).toMatch(/^\d+ parent-/);
    expect(await setting("search.version")).toBeUndefined();

    const second = new CarrelProcess(["server", "--data", folder, "--port", "0"]);
    await until(async () => (await setting("search.place")) !== place);
    expect((await setting("search.place")) ?? "~").toSatisfy((next: string) => next > String(place));
    await until(async () => (await setting("search.version")) !== undefined);
    await second.stop();
    expect(await found()).toEqual(before);
    const checked = await runCarrel("check", "--data", folder);
    expect(checked.stdout).not.toContain("search index");

    await sql`delete from search_text`.execute(db);
    const countTexts = async () =>
      (await sql<{ count: number }>`select count(*) as count from search_text`.execute(db)).rows[0]?.count ?? 0;
    const killed = new CarrelProcess(["check", "--data", folder, "--repair"]);
    await until(async () => (await countTexts()) > 0);
    await killed.stop("SIGKILL");
    const half = await countTexts();
    expect((await runCarrel("check", "--data", folder)).stdout).toContain("search index");
    expect((await runCarrel("check", "--data", folder, "--repair")).stdout).toContain("It was rebuilt.");
    expect((await runCarrel("check", "--data", folder)).stdout).not.toContain("search index");
    expect(await countTexts()).toBeGreaterThan(half);
    expect(await found()).toEqual(before);
    await close();
  });
});
