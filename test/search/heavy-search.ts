import { expect } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import { familyDocuments } from "../../shared/search/record-document.ts";
import { recordCatalogue, recordFields } from "../../shared/search/record-fields.ts";
import { recordSearchRules, recordSearchService } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { Random } from "../support/random.ts";
import type { MakeIndex } from "./compare-with-oracle.ts";
import { epoch, randomFamily, store, words } from "./corpus.ts";
import { Oracle } from "./oracle.ts";

const admin: Caller = {
  userId: "9",
  roles: new Set(["superuser-access"]),
  scopes: new Set(),
  linkTokens: [],
  via: "token",
};
const oracle = new Oracle(recordCatalogue(), epoch);
const families = Array.from({ length: 30 }, (_, at) => randomFamily(new Random(at), at));
const documents = families.flatMap((family) => familyDocuments(family)).filter(({ kind }) => kind === "record");

const many = (count: number, make: (at: number) => string, joint = " "): string =>
  Array.from({ length: count }, (_, at) => make(at))
    .join(joint)
    .slice(0, 8192);
const word = (at: number): string => words[at % words.length] ?? "";
const nested = (depth: number, at = 0): string =>
  depth === 0
    ? "data"
    : `(${word(at)} ${at % 3 === 0 ? "AND" : at % 3 === 1 ? "OR" : "AND NOT"} ${nested(depth - 1, at + 1)})`;

/** Queries at the limit of length (search 2, 5.5), by name. */
export const heavyQueries: Record<string, string> = {
  "thousands of words": many(4000, (at) => (at % 2 ? "x" : `${at}`)),
  "hundreds of words": many(900, word),
  "hundreds of words, all needed": many(900, () => "data", " AND "),
  "hundreds of words, none wanted": `* ${many(900, (at) => `-${at}x`)}`,
  "hundred groups in each other": nested(100),
  "twenty groups in each other": nested(20, 1),
  "hundreds of patterns": many(400, (at) => `*${"abc"[at % 3]}${at}*`),
  "hundreds of fuzzy words": many(300, (at) => `${word(at)}x~1`),
  "a long phrase": `"${many(600, () => "open science")}"`,
  "a long sloppy phrase": `"${many(500, word)}"~100000`,
  "hundreds of ranges": many(150, (at) => `metadata.publication_date:[${1900 + at} TO 2030]`),
  "hundreds of fields": many(250, () => "metadata.*:data"),
  "plain text of thousands": `${many(900, (at) => `${word(at)}${at % 50}`)} (`,
};

export interface HeavySearch {
  /** Compares the number of matches with that of the oracle. */
  check(q: string): Promise<void>;
  close(): Promise<void>;
}

export async function heavySearch(makeIndex: MakeIndex): Promise<HeavySearch> {
  const database = openDatabase(":memory:");
  await store(database.db, families);
  const service = recordSearchService({ now: () => epoch, settings: defaultSettings }, await makeIndex(database.db));
  return {
    async check(q) {
      const request = readSearch({ q, size: "1000", allversions: "1" }, recordSearchRules);
      const { total } = await service.search(database.db, { caller: admin, request, scope: "published" });
      const tree = parseQuery(q);
      expect(total).toBe(documents.filter(({ json }) => oracle.matches(tree, q, recordFields(json))).length);
    },
    async close() {
      await service.close();
      await database.close();
    },
  };
}
