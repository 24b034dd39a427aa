import { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrations } from "../../shared/database/migrations/list.ts";
import type { Schema } from "../../shared/database/schema.ts";
import { openConnection, sqliteDialect } from "../../shared/database/sqlite-driver.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { recordSearchService, userRecordSearchRules } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { reindexFamily } from "../../shared/search/sqlite/record-index.ts";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { Random } from "../support/random.ts";
import { epoch, randomFamily, store } from "./corpus.ts";

const connection = openConnection(":memory:");
const queries: { sql: string; parameters: readonly unknown[] }[] = [];
const db = new Kysely<Schema>({
  dialect: sqliteDialect(connection),
  log: ({ query }) => {
    queries.push({ sql: query.sql, parameters: query.parameters });
  },
});
const host: Pick<Host, "now" | "settings"> = { now: () => epoch, settings: defaultSettings };
const service = recordSearchService(host, sqliteSearchIndex());
const caller: Caller = {
  userId: "1",
  roles: new Set(["staff"]),
  scopes: new Set(),
  linkTokens: ["secret"],
  via: "token",
};

beforeAll(async () => {
  for (const step of migrations) connection.exec(step.sql);
  const random = new Random(3);
  await store(
    db,
    Array.from({ length: 60 }, (_, at) => randomFamily(random, at)),
  );
  connection.exec("analyze");
});
afterAll(() => db.destroy());

/** Steps of the queries that a piece of work makes which read a whole table. */
async function scans(work: () => Promise<unknown>): Promise<string[]> {
  queries.length = 0;
  await work();
  return queries.flatMap(({ sql, parameters }) => {
    if (!/^\s*(select|insert|update|delete)/i.test(sql)) return [];
    const steps = connection.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
    // A virtual table shows as a scan; what it was asked by stands behind the colon. `ends` is one row, `word` a list.
    return steps
      .map((step) => step.detail)
      .filter(
        (detail) =>
          /^SCAN/.test(detail) &&
          !/VIRTUAL TABLE INDEX (?:[1-9]\d*:|\d+:.)|json_each|SCAN \(subquery|CONSTANT|SCAN (?:word|ends)$/.test(
            detail,
          ),
      )
      .filter((detail) => !/^SCAN search_path/.test(detail))
      .map((detail) => `${detail} in ${sql}`);
  });
}

describe("no query reads a whole table (search 12)", () => {
  test.each([
    "",
    "open",
    "open AND science",
    '"open science"',
    '"open science"~2',
    "dat*",
    "*ata",
    "datta~",
    "/dat.*/",
    "metadata.title:open",
    "metadata.resource_type.title.en:open",
    "metadata.publication_date:[2017 TO 2019]",
    "metadata.publication_date_range:[2017 TO 2019]",
    "created:[2024-01-01 TO *]",
    "access.record:publ*",
    "_exists_:metadata.languages",
    "metadata.*:open",
    "-open",
  ])("searching for %s", async (q) => {
    const request = readSearch({ q }, userRecordSearchRules);
    for (const scope of ["published", "editable"] as const) {
      expect(await scans(() => service.search(db, { caller, request, scope }))).toEqual([]);
    }
  });

  test("writing a family to the index", async () => {
    expect(await scans(() => reindexFamily(db, "parent-7"))).toEqual([]);
    await db
      .updateTable("record")
      .set({ expanded: '{"title":"new words"}' })
      .where("parent_id", "=", "parent-7")
      .execute();
    expect(await scans(() => reindexFamily(db, "parent-7"))).toEqual([]);
  });
});
