import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { inProcess } from "../support/in-process.ts";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";

/** The database whose statements are counted. Background work of other databases in this process is left out. */
let watched: SQLite.Database | undefined;
/** The executed SQL statements. */
const executed: string[] = [];
/** The same statements with their values. */
const executedWithValues: string[] = [];

beforeEach(() => {
  const statement: SQLite.Statement = new SQLite(":memory:").prepare("select 1");
  const kind = Object.getPrototypeOf(statement) as SQLite.Statement;
  for (const name of ["all", "run"] as const) {
    const execute = kind[name];
    vi.spyOn(kind, name).mockImplementation(function (this: SQLite.Statement, ...values: unknown[]) {
      if (this.source === mark) watched = this.database;
      if (this.database === watched) executed.push(this.source);
      if (this.database === watched) executedWithValues.push(`${this.source} ${JSON.stringify(values)}`);
      return Reflect.apply(execute, this, values);
    });
  }
});
afterEach(() => vi.restoreAllMocks());

const mark = "select 'watched'";
async function startWatched(): Promise<Api> {
  const api = await startApi("server", { aloneBecause: "it looks into the process" });
  await sql.raw(mark).execute(api.server.host.db);
  return api;
}

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  executed.length = 0;
  executedWithValues.length = 0;
  await work();
  return executed.length;
}

/** The count of the work alone: what requests expire is looked for every second, and may come between. */
async function fewestOf(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let time = 0; time < 3; time++) counts.push(await statementsOf(work));
  return Math.min(...counts);
}

test("a draft is created, replaced and published with few statements (issue 19.7, speed frame)", async () => {
  const api = await startWatched();
  const client = await inProcess(api, "ada");
  const replaced = { ...withoutFiles, metadata: { ...withoutFiles.metadata, publisher: "Press" } };
  const replace = (id = "") => client.put(`/api/records/${id}/draft`, replaced);
  // The first write also adds names of fields to the index.
  const first = await givenDraft(client);
  await replace(first);
  await publish(client, first);
  const ids: string[] = [];
  const each = (work: (id?: string) => Promise<unknown>) => {
    const left = [...ids];
    return () => work(left.pop());
  };
  const counts = {
    create: await fewestOf(async () => ids.push(await givenDraft(client))),
    replace: await fewestOf(each(replace)),
    same: await fewestOf(each(replace)),
    publish: await fewestOf(each((id = "") => publish(client, id))),
  };
  expect(counts.create).toBeLessThanOrEqual(18);
  expect(counts.replace).toBeLessThanOrEqual(20);
  expect(counts.same).toBeLessThanOrEqual(5);
  // One inserts the audit entry (security 12), three list it for harvesters, one reads the collections of groups (web 15.8).
  expect(counts.publish).toBeLessThanOrEqual(27);
  expect(executed.filter((text) => /insert into search_text|delete from search_text/.test(text))).toEqual([]);
});

test("a write that changes many fields of a draft with files needs few more statements (issue 19.7)", async () => {
  const api = await startWatched();
  const client = await inProcess(api, "ada");
  const [ids, other]: [string[], string] = [[], await givenDraft(client, { metadata })];
  for (let count = 0; count < 3; count++) {
    const id = await givenDraft(client, { metadata });
    for (const name of ["a.csv", "b.csv", "c.csv"]) await addFile(client, id, name, "1,2");
    ids.push(id);
  }
  const subjects = [{ subject: "sea" }, { subject: "salt" }];
  const changed = { ...metadata, title: "Cores", description: "Salt", publisher: "Press", version: "2", subjects };
  const replace = (draft = "") => client.put(`/api/records/${draft}/draft`, { metadata: changed });
  // The first document with a field gives it a number in the index.
  await replace(other);
  // Two read the files, two replace what the index had of values that are gone.
  expect(await fewestOf(() => replace(ids.pop()))).toBeLessThanOrEqual(24);
});

test("no call reads the same row twice, nor a row that it was given already (issue 19.7)", async () => {
  const api = await startWatched();
  const client = await inProcess(api, "ada");
  const [open, id] = [await givenDraft(client), await givenDraft(client)];
  await publish(client, id);
  const reads: Record<string, number> = {
    [`/api/records/${open}/draft`]: 4,
    [`/api/records/${open}/draft/files`]: 3,
    [`/api/records/${id}`]: 4,
    [`/api/records/${id}/files`]: 3,
    "/api/records?q=story": 16,
  };
  for (const [path, most] of Object.entries(reads)) {
    let fewest: string[] = [];
    // Work in the background may come between.
    for (let time = 0; time < 3; time++) {
      await statementsOf(() => client.get(path));
      if (time === 0 || executedWithValues.length < fewest.length) fewest = [...executedWithValues];
    }
    expect(fewest.length, path).toBeGreaterThan(0);
    expect(fewest.length, path).toBeLessThanOrEqual(most);
    expect(fewest.toSorted(), path).toEqual([...new Set(fewest)].sort());
  }
});

test("a page of hits needs few statements, whatever its number of hits (security, load)", async () => {
  const api = await startWatched();
  const [client, guest] = [await inProcess(api, "ada"), await inProcess(api, "eve")];
  for (let at = 0; at < 12; at++) await publish(client, await givenDraft(client));
  // The owner is told more of each hit: who has access, and whether a next version is begun.
  for (const reader of [guest, client]) {
    const search = (size: number) => reader.get(`/api/records?size=${size}`);
    await search(12);
    // Work in the background may come between.
    const counts = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };
    for (let time = 0; time < 3; time++) {
      counts.few = Math.min(counts.few, await statementsOf(() => search(2)));
      counts.many = Math.min(counts.many, await statementsOf(() => search(12)));
    }
    expect(counts.many).toBe(counts.few);
  }
});

test("a prepared query takes other values each time, and other columns of rows as another query", async () => {
  const { db, close } = openDatabase(":memory:");
  let built = 0;
  const store = prepared((tx, row: { name: string; value: string }) => {
    built += 1;
    return tx
      .insertInto("setting")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: row.value }));
  });
  const change = prepared((tx, id: string, row: { name?: string; value?: string }) => {
    built += 1;
    return tx.updateTable("setting").set(row).where("name", "=", id);
  });
  const find = preparedFirst((tx, name: string) => tx.selectFrom("setting").select("value").where("name", "=", name));
  const double = preparedFirst((_tx, number: number) => sql<{ twice: number }>`select ${number} * 2 as twice`);
  for (const value of ["1", "2"]) await store(db, { name: "a", value });
  await store(db, { name: "b", value: "3" });
  expect([await find(db, "a"), await find(db, "b"), await find(db, "c")]).toEqual([
    { value: "2" },
    { value: "3" },
    undefined,
  ]);
  await change(db, "a", { value: "4" });
  await change(db, "b", { value: "5" });
  await change(db, "b", { name: "c" });
  expect([await find(db, "a"), await find(db, "b"), await find(db, "c")]).toEqual([
    { value: "4" },
    undefined,
    { value: "5" },
  ]);
  expect([await double(db, 2), await double(db, 21)]).toEqual([{ twice: 4 }, { twice: 42 }]);
  expect(built).toBe(3);
  await close();
});
