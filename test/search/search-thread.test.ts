import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Db, type OpenDatabase, openDatabase, openForReading, transaction } from "../../shared/database/open.ts";
import { anonymous, type Caller } from "../../shared/kernel/caller.ts";
import { recordSearchService, userRecordSearchRules } from "../../shared/search/record-search.service.ts";
import type { RecordQuery } from "../../shared/search/search-index.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { findDocuments } from "../../shared/search/sqlite/record-finder.ts";
import { reindexFamily } from "../../shared/search/sqlite/record-index.ts";
import { recordValues } from "../../shared/search/sqlite/record-values.ts";
import { SearchThread } from "../../shared/search/sqlite/search-thread.ts";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { textSearchOf } from "../../shared/search/sqlite/text-search.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { Random } from "../support/random.ts";
import { until } from "../support/until.ts";
import { epoch, randomFamily, store, words } from "./corpus.ts";

const person: Caller = { ...anonymous, userId: "1", roles: new Set(["staff"]), linkTokens: ["key"], via: "token" };
const admin: Caller = { ...person, roles: new Set(["superuser-access"]) };
const settings = { now: epoch, customFields: [] };
const queryFor = (query: Record<string, string>, caller: Caller = person): RecordQuery => ({
  caller,
  request: readSearch(query, userRecordSearchRules),
  scope: caller.userId === null ? "published" : "editable",
  languages: "de",
});
const questions = ["", "data", "*ata", "data~", '"open science"~3', "metadata.*:open", "-open", "created:[2024 TO *]"];

/** Far from the others: as if there were so many. */
async function pretendMany(db: Db): Promise<void> {
  const { doc: _, ...row } = await db.selectFrom("search_doc").selectAll().limit(1).executeTakeFirstOrThrow();
  const dead = { ...row, doc: 50_000, object_id: "far", parent_id: "far", is_live: 0, text_hash: "" };
  await db.insertInto("search_doc").values(dead).execute();
}

/** Gives the records of one family another text, or none. */
async function changeOne(db: Db, random: Random): Promise<void> {
  const parentId = `parent-${1 + random.below(39)}`;
  await transaction(db, async (tx) => {
    const [other] = randomFamily(random, 0).records;
    const deletion = tx.deleteFrom("record").where("parent_id", "=", parentId);
    const { expanded = "{}", access } = other ?? {};
    const changed = tx.updateTable("record").set({ expanded, ...(access && { access }) });
    await (random.chance(0.2) ? deletion : changed.where("parent_id", "=", parentId)).execute();
    await reindexFamily(tx, parentId);
  });
}

/** Removes the grants of one family, and grants access to the user, their group or their link instead. */
async function changeWhatIsGiven(db: Db, random: Random): Promise<void> {
  const parent_id = `parent-${1 + random.below(39)}`;
  const permission = random.of(["view", "edit"]);
  await transaction(db, async (tx) => {
    await tx.deleteFrom("access_grant").where("parent_id", "=", parent_id).execute();
    await tx.deleteFrom("access_link").where("parent_id", "=", parent_id).execute();
    const row = { id: `given-${parent_id}`, parent_id, permission };
    const [subject_type = "", subject_id = ""] = random.of([["user", "1"], ["role", "staff"], ["link"], ["nobody"]]);
    if (subject_type === "link") {
      const link = { ...row, token: "key", description: "", created_at: epoch, expires_at: null };
      await tx.insertInto("access_link").values(link).execute();
    } else if (subject_id !== "") {
      const grant = { ...row, subject_type, subject_id, origin: null, message: null, created: epoch };
      await tx.insertInto("access_grant").values(grant).execute();
    }
  });
}

/** Phrases of three and more words, sloppy ones, and words of which any will do. */
function wordsTogether(random: Random): string[] {
  const some = (least: number): string => random.list(least, 4, () => random.of(words)).join(" ");
  return Array.from({ length: 6 }, () => [`"${some(3)}"`, `"${some(2)}"~${1 + random.below(6)}`, some(3)]).flat();
}

/** Sloppy phrases, and searches of other kinds beside them. */
function mixedQuestions(random: Random): string[] {
  const date = () => random.of(["*", "2016", "2017-06", "2018-03-01", "2019", "2020-11"]);
  const range = () =>
    `metadata.publication_date:${random.of(["[", "{"])}${date()} TO ${date()}${random.of(["]", "}"])}`;
  return [
    ...["data", "open science", '"open science"', '"science data"', "dat*", "*a*", "open -data"],
    ...wordsTogether(random),
    ...["metadata.title:open", 'metadata.title:"open science"', `${range()} AND data`],
    ...Array.from({ length: 8 }, range),
  ];
}

/** Each question is answered as by somebody who has just opened the database. */
async function expectAsTheDatabase(db: Db, file: string, questionsAsked: readonly string[]): Promise<void> {
  const fresh = openForReading(file);
  for (const q of questionsAsked) {
    const search = queryFor({ q, allversions: "1", size: "100" }, admin);
    const found = await findDocuments(db, settings, search);
    expect({ q, found }).toEqual({ q, found: await findDocuments(fresh, settings, search) });
  }
  await fresh.destroy();
}

describe("a large index is searched in a thread of its own (architecture, rule 10)", () => {
  let folder: string;
  let database: OpenDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-thread-"));
    database = openDatabase(join(folder, "library.sqlite"));
    const families = Array.from({ length: 40 }, (_, at) => randomFamily(new Random(at), at));
    await store(database.db, families.slice(1));
    await pretendMany(database.db);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("it answers what this thread would, refusals included", async () => {
    const thread = new SearchThread({ databaseFile: join(folder, "library.sqlite"), isAccelerated: true });
    expect(await thread.started).toBe(true);
    for (const q of questions) {
      for (const caller of [anonymous, person]) {
        const search = queryFor(
          { q, size: "30", resource_type: "dataset", sort: q === "" ? "newest" : "bestmatch" },
          caller,
        );
        const found = await thread.find(settings, search);
        expect({ q, found }).toEqual({ q, found: await findDocuments(database.db, settings, search) });
      }
    }
    await expect(thread.find(settings, queryFor({ q: "created:x" }))).rejects.toMatchObject({
      status: 400,
      message: "Invalid query string syntax.",
      headers: { "Query-Problem": "created;expected=time" },
    });
    const all = await Promise.all(questions.map((q) => thread.find(settings, queryFor({ q }))));
    expect(all.map(({ total }) => total)).toEqual(
      await Promise.all(
        questions.map(async (q) => (await findDocuments(database.db, settings, queryFor({ q }))).total),
      ),
    );
    const closing = thread.close();
    const broken = expect(thread.find(settings, queryFor({}))).rejects.toThrow("the search thread has ended");
    await closing;
    await broken;
  });

  test("it answers the same with and without the accelerator (search 5.3)", async () => {
    const host = { now: () => epoch, settings: defaultSettings };
    const [accelerated, plain] = [true, false].map((isAccelerated) =>
      recordSearchService(host, sqliteSearchIndex({ isAccelerated })),
    );
    for (const q of [...questions, ...mixedQuestions(new Random(3))]) {
      const search = queryFor({ q, allversions: "1", size: "100" }, admin);
      const found = await accelerated?.search(database.db, search);
      expect({ q, found }).toEqual({ q, found: await plain?.search(database.db, search) });
    }
    await accelerated?.close();
    await plain?.close();
  });

  test("what is remembered of a question and of a caller follows every write", async () => {
    const random = new Random(99);
    const file = join(folder, "library.sqlite");
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      await (random.chance(0.5) ? changeOne(database.db, random) : changeWhatIsGiven(database.db, random));
      const fresh = openForReading(file);
      for (const q of round % 2 === 0 ? ["", "data"] : ["", "*ata", "open -data", "metadata.title:open"]) {
        for (const caller of [admin, person]) {
          const search = queryFor({ q, allversions: "1", size: "100", resource_type: "dataset" }, caller);
          const found = await findDocuments(database.db, settings, search);
          expect({ round, q, found }).toEqual({ round, q, found: await findDocuments(fresh, settings, search) });
          if (q === "" && caller === person) seen.add(JSON.stringify(found));
        }
      }
      await fresh.destroy();
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  test("the accelerator finds what the database finds, before and after every write", async () => {
    const file = join(folder, "kept.sqlite");
    const own = openDatabase(file);
    await store(
      own.db,
      Array.from({ length: 40 }, (_, at) => randomFamily(new Random(at), at)),
    );
    const { proximity } = textSearchOf(own.db, await recordValues(own.db));
    await proximity.load();
    const random = new Random(5);
    for (let round = 0; round < 6; round += 1) {
      await expectAsTheDatabase(own.db, file, mixedQuestions(random));
      expect(proximity.finder(["data", "open", "science"], 3)).toBeDefined();
      await changeOne(own.db, random);
    }
    await own.close();
  });

  test("facets are those that a fresh look finds, after every write, for every caller (search 8)", async () => {
    const file = join(folder, "facets.sqlite");
    const own = openDatabase(file);
    await store(
      own.db,
      Array.from({ length: 60 }, (_, at) => randomFamily(new Random(at), at)),
    );
    const random = new Random(7);
    for (let round = 0; round < 24; round += 1) {
      await (random.chance(0.7) ? changeOne(own.db, random) : changeWhatIsGiven(own.db, random));
      const fresh = openForReading(file);
      for (const q of ["", "-open", ...random.list(1, 2, () => random.of(mixedQuestions(random)))]) {
        for (const caller of [anonymous, person, admin]) {
          const search: RecordQuery = {
            ...queryFor({ q, size: "5" }, caller),
            scope: random.of(["published", "editable"]),
          };
          const { total, aggregations } = await findDocuments(own.db, settings, search);
          const expected = await findDocuments(fresh, settings, search);
          expect({ round, q, total, aggregations }).toEqual({
            round,
            q,
            total: expected.total,
            aggregations: expected.aggregations,
          });
        }
      }
      await fresh.destroy();
    }
    await own.close();
  });

  test("after more changes than a search waits for, the database answers, and soon the accelerator again", async () => {
    const file = join(folder, "changed.sqlite");
    const own = openDatabase(file);
    const families = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => randomFamily(new Random(from + at), from + at));
    await store(own.db, families(0, 20));
    const values = await recordValues(own.db);
    const { proximity } = textSearchOf(own.db, values);
    await proximity.load();
    const { generation } = values;
    await store(own.db, families(20, 400));
    const random = new Random(6);
    await recordValues(own.db);
    expect(values.generation - generation).toBeGreaterThan(500);
    await expectAsTheDatabase(own.db, file, mixedQuestions(random));
    await until(() => proximity.finder(["data", "open"], 3) !== undefined, "the accelerator has followed the changes");
    await expectAsTheDatabase(own.db, file, mixedQuestions(random));
    await own.close();
  });

  test("what was written is found at once; where no thread can start, searches go on without", async () => {
    const service = recordSearchService({ now: () => epoch, settings: defaultSettings }, sqliteSearchIndex());
    await service.prepare(database.db);
    const totalOf = async () => (await service.search(database.db, queryFor({ allversions: "1" }, admin))).total;
    const before = await totalOf();
    await store(database.db, [randomFamily(new Random(0), 0)]);
    const expected = await findDocuments(database.db, settings, queryFor({ allversions: "1" }, admin));
    expect(expected.total).toBeGreaterThan(before);
    expect(await totalOf()).toBe(expected.total);
    await service.close();
    expect(await totalOf()).toBe(expected.total);
    await service.close();
    const nowhere = new SearchThread({ databaseFile: join(folder, "missing.sqlite"), isAccelerated: true });
    expect(await nowhere.started).toBe(false);
  });
});
