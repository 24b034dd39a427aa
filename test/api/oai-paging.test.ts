import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { collectionSets } from "../../server/harvest/collection-sets.ts";
import { harvestService } from "../../server/harvest/harvest.service.ts";
import { countItems } from "../../server/harvest/harvest-item.repository.ts";
import { fillHarvestItems } from "../../server/harvest/harvest-job.ts";
import { oaiService } from "../../server/harvest/oai.service.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { inProcess } from "../support/in-process.ts";
import { childOf, parseXml, within, type Xml } from "../support/oai-harvester.ts";
import { givenRecord, metadata } from "../support/records.ts";
import { isOnPostgres } from "../support/server-database.ts";

const secret = new Uint8Array(32);
let api: Api;
let alice: HttpClient;
let ids: string[];
beforeAll(async () => {
  api = await startApi("server");
  alice = await inProcess(api, "alice");
  ids = [];
  for (let n = 0; n < 9; n++) ids.push(await givenRecord(alice));
});

const serviceWith = (size: number, key: Uint8Array = secret) => {
  const { host } = api.server;
  const pageSizes = { ListRecords: size, ListIdentifiers: size };
  return oaiService({ host, harvest: harvestService(host), secret: key, pageSizes });
};
const ask = async (size: number, parameters: Record<string, string>, key?: Uint8Array): Promise<Xml> =>
  parseXml(await serviceWith(size, key).answer(new URLSearchParams(parameters)));

const idsIn = (root: Xml): string[] =>
  within(root, "header").map((header) => childOf(header, "identifier")?.text.split(":").at(-1) ?? "");
const tokenIn = (root: Xml): Xml | undefined => within(root, "resumptionToken")[0];
const first = { verb: "ListIdentifiers", metadataPrefix: "oai_dc" };

/** The pages of a whole list. */
async function pagesOf(size: number, parameters: Record<string, string> = first): Promise<Xml[]> {
  const pages = [await ask(size, parameters)];
  for (;;) {
    const token = tokenIn(pages.at(-1) as Xml)?.text;
    if (!token) return pages;
    pages.push(await ask(size, { verb: first.verb, resumptionToken: token }));
  }
}

test("pages give each item once; the last one has an empty token also when it is full (web 8, issue 18)", async () => {
  for (const size of [1, 2, 3, 4, 8, 9, 10]) {
    const pages = await pagesOf(size);
    expect(pages.flatMap(idsIn), `pages of ${size}`).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(ids.length / size));
    const ends = pages.map((page) => tokenIn(page)?.attributes);
    if (size >= ids.length) expect(ends).toEqual([undefined]);
    else expect(ends).toEqual(pages.map((_page, at) => ({ completeListSize: "9", cursor: String(at * size) })));
  }
  expect((await pagesOf(2, { ...first, set: "latest" })).flatMap(idsIn)).toEqual(ids);
  const all = { from: 0, until: Number.MAX_SAFE_INTEGER };
  for (const part of [1, 2, 3, 9, 10])
    for (const set of [undefined, "latest"])
      expect(await countItems(api.server.host.db, { ...all, set }, part)).toBe(9);
});

test("a token gives the same page twice and in another process; a changed one is refused (web 8, issue 18)", async () => {
  const token = tokenIn(await ask(4, first))?.text ?? "";
  const parameters = { verb: first.verb, resumptionToken: token };
  const [once, again] = [await ask(4, parameters), await ask(4, parameters)];
  expect(idsIn(once)).toEqual(ids.slice(4, 8));
  expect(idsIn(again)).toEqual(idsIn(once));
  const codeOf = async (resumptionToken: string, verb = first.verb, key = secret) =>
    childOf(await ask(4, { verb, resumptionToken }, key), "error")?.attributes.code;
  const [text = "", signature = ""] = token.split(".");
  const state = JSON.parse(Buffer.from(text, "base64url").toString());
  const forged = Buffer.from(JSON.stringify({ ...state, from: 1 })).toString("base64url");
  expect(await codeOf(`${forged}.${signature}`)).toBe("badResumptionToken");
  expect(await codeOf(`${token}.x`)).toBe("badResumptionToken");
  expect(await codeOf(token, "ListRecords")).toBe("badResumptionToken");
  expect(await codeOf(token, first.verb, new Uint8Array(32).fill(1))).toBe("badResumptionToken");
});

test("a list ends where it began to be read; what changes meanwhile is in the next harvest (web 8, issue 18)", async () => {
  const others = await startApi("server");
  const bob = await inProcess(others, "bob");
  const [a, b, c] = [await givenRecord(bob), await givenRecord(bob), await givenRecord(bob)];
  const { host } = others.server;
  const oai = oaiService({
    host,
    harvest: harvestService(host),
    secret,
    pageSizes: { ListRecords: 1, ListIdentifiers: 1 },
  });
  const list = async (parameters: Record<string, string>) =>
    parseXml(await oai.answer(new URLSearchParams(parameters)));
  const page = await list(first);
  const late = await givenRecord(bob);
  const edit = async (id: string) => {
    await bob.post(`/api/records/${id}/draft`);
    await bob.put(`/api/records/${id}/draft`, { metadata: { ...metadata, title: "New" }, files: { enabled: false } });
    await bob.post(`/api/records/${id}/draft/actions/publish`);
  };
  const next = { verb: first.verb, resumptionToken: tokenIn(page)?.text ?? "" };
  await edit(b);
  const second = await list(next);
  expect([idsIn(page), idsIn(second), tokenIn(second)?.text]).toEqual([[a], [c], ""]);
  // The whole rest changed: it is given where it stands now, since a page is never empty.
  await edit(c);
  expect(idsIn(await list(next))).toEqual([late]);
});

test("the table is filled for a library from before it, and continues after a stop (web 8, issue 18)", async () => {
  const { db } = api.server.host;
  const before = await db
    .selectFrom("harvest_item")
    .select(["record_id", "state", "sets"])
    .orderBy("record_id")
    .execute();
  const sets = await db
    .selectFrom("harvest_set")
    .select(["spec", "record_id"])
    .orderBy("spec")
    .orderBy("record_id")
    .execute();
  await sql`delete from harvest_item`.execute(db);
  await sql`delete from harvest_set`.execute(db);
  await sql`delete from setting where name = 'harvest_version'`.execute(db);
  const { host } = api.server;
  const collections = collectionSets(host.settings, host.now);
  const fill = () => fillHarvestItems(host, collections);
  const place = await db.selectFrom("parent").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
  await sql`insert into setting values ('harvest_fill', ${`2 ${await collections.digest(db)} ${place.id}`})`.execute(
    db,
  );
  expect(await fill()).toBe(ids.length - 1);
  expect(await db.selectFrom("harvest_item").select("record_id").execute()).toHaveLength(ids.length - 1);
  await sql`delete from setting where name = 'harvest_version'`.execute(db);
  expect(await fill()).toBe(ids.length);
  expect(
    await db.selectFrom("harvest_item").select(["record_id", "state", "sets"]).orderBy("record_id").execute(),
  ).toEqual(before);
  expect(
    await db.selectFrom("harvest_set").select(["spec", "record_id"]).orderBy("spec").orderBy("record_id").execute(),
  ).toEqual(sets);
  expect(await fill()).toBe(0);
});

test("a page takes few statements, as many for one record as for nine, and each finds its rows by an index (web 8)", async ({
  skip,
}) => {
  skip(isOnPostgres, "counts and explains statements of SQLite");
  const executed: string[] = [];
  const kind = Object.getPrototypeOf(new SQLite(":memory:").prepare("select 1")) as SQLite.Statement;
  const { all } = kind;
  const spy = vi.spyOn(kind, "all").mockImplementation(function (this: SQLite.Statement, ...values: unknown[]) {
    executed.push(this.source);
    return Reflect.apply(all, this, values);
  });
  const statementsOf = async (size: number, parameters: Record<string, string>) => {
    const before = executed.length;
    const answer = await ask(size, { ...parameters, verb: "ListRecords" });
    return { count: executed.length - before, token: tokenIn(answer)?.text ?? "" };
  };
  const { token, count } = await statementsOf(1, first);
  const counts = [
    count,
    (await statementsOf(9, first)).count,
    (await statementsOf(1, { resumptionToken: token, verb: "ListRecords" })).count,
    (await statementsOf(9, { ...first, set: "latest" })).count,
  ];
  const listing = new Set(executed.filter((text) => /harvest_/.test(text)));
  spy.mockRestore();
  expect(counts).toEqual([6, 6, 4, 6]);
  for (const text of listing) {
    const plan = await api.server.host.db.executeQuery<{ detail: string }>({
      ...sql.raw(`explain query plan ${text}`).compile(api.server.host.db),
      parameters: text.match(/\?/g)?.map(() => 1) ?? [],
    });
    for (const { detail } of plan.rows) expect(detail, text).not.toMatch(/^SCAN (item|listed|harvest)|TEMP B-TREE/);
  }
});
