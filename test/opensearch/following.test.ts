import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type EngineIndex, versionOf } from "../../server/opensearch/engine-index.ts";
import { IndexBuilder } from "../../server/opensearch/index-builder.ts";
import { indexedFamily } from "../../server/opensearch/index-document.ts";
import { followRows, readNewest } from "../../server/opensearch/index-follower.ts";
import { OpenSearchClient, readPlace } from "../../server/opensearch/opensearch-client.ts";
import { beginNewEpoch } from "../../server/sync/epoch.service.ts";
import { addToFeed } from "../../server/sync/feed.repository.ts";
import { claimForServer } from "../../shared/database/library.ts";
import { type Db, type OpenDatabase, openDatabase, transaction } from "../../shared/database/open.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { userRecordSearchRules } from "../../shared/search/record-search.service.ts";
import type { SearchIndex } from "../../shared/search/search-index.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { readFamily } from "../../shared/search/sqlite/record-index.ts";
import { epoch, type Family, randomFamily, store } from "../search/corpus.ts";
import { freshIndex, indexAt, type TestIndex } from "../support/engines/search-index.ts";
import { Random } from "../support/random.ts";
import { until } from "../support/until.ts";

const log = createLog("silent");
const admin: Caller = {
  userId: "9",
  roles: new Set(["superuser-access"]),
  scopes: new Set(),
  linkTokens: [],
  via: "token",
};

/** A family with a draft of a new version and nothing else. */
function draftFamily(number: number): Family {
  for (let seed = number * 1000; ; seed += 1) {
    const family = randomFamily(new Random(seed), number);
    if (family.records.length === 0 && family.drafts.length === 1) return family;
  }
}

describe("the index follows the rows (scale 4)", () => {
  let database: OpenDatabase;
  let db: Db;
  let place: TestIndex;
  let index: SearchIndex;
  let builder: IndexBuilder;
  beforeEach(async () => {
    database = openDatabase(":memory:");
    db = database.db;
    await claimForServer(db, "/nowhere");
    place = freshIndex();
    index = indexAt(place.address);
    const read = readPlace(place.address);
    if (!read) throw new Error("no address");
    builder = new IndexBuilder(new OpenSearchClient(read), read.prefix, log);
  });
  afterEach(async () => {
    await index.close();
    await place.drop();
    await database.close();
  });

  /** All drafts and records, as an administrator finds them. */
  async function found(): Promise<{ total: number; shown: number }> {
    const request = readSearch({ allversions: "1", size: "1000" }, userRecordSearchRules);
    const query = { caller: admin, request, scope: "editable" as const };
    const { total, page } = await index.find(db, { now: epoch, customFields: [] }, query);
    return { total, shown: page.length };
  }

  /** Changes a family, as a write does: with its entry in the feed. */
  const change = (id: string, work: (tx: Db) => Promise<unknown>) =>
    transaction(db, async (tx) => {
      await work(tx);
      await addToFeed(tx, [{ user_id: "1", kind: "family", object_id: id, state: "live" }]);
    });

  const discard = (id: string) => change(id, (tx) => tx.deleteFrom("draft").where("parent_id", "=", id).execute());

  /** The index that is searched. On a busy machine it is built after `prepare`, which waits for some seconds only. */
  async function live() {
    let one: EngineIndex | undefined;
    await until(async () => {
      one = await builder.findLive(db);
      return one !== undefined;
    }, "an index is searched");
    return one as EngineIndex;
  }

  test("a late write of an older state changes nothing, not even after a deletion", async () => {
    await store(db, [draftFamily(1), draftFamily(2)]);
    await index.prepare(db);
    expect(await found()).toEqual({ total: 2, shown: 2 });
    const old = indexedFamily("parent-1", await readFamily(db, "parent-1"), []);
    const version = versionOf(await readNewest(db));
    await discard("parent-1");
    expect(await found()).toEqual({ total: 1, shown: 1 });
    await (await live()).write([old], version);
    expect(await found()).toEqual({ total: 1, shown: 1 });
    // Planted: without the version it would be found again; the rows of the page still leave it out.
    await (await live()).write([old], version + 1000);
    expect(await found()).toEqual({ total: 2, shown: 1 });
  });

  test("an index that is being built is taken up after a stop, with what changed meanwhile (scale 4)", async () => {
    const families = Array.from({ length: 230 }, (_, at) => draftFamily(at));
    await store(db, families);
    const stopped = new AbortController();
    stopped.abort();
    await builder.build(db, stopped.signal);
    expect(await builder.findLive(db)).toBeUndefined();
    await discard("parent-3");
    await discard("parent-200");
    await builder.build(db, new AbortController().signal);
    const first = (await live()).name;
    expect(await found()).toEqual({ total: 228, shown: 228 });

    // Another one beside it: the first is searched until the second is complete.
    await builder.build(db, stopped.signal);
    expect((await live()).name).toBe(first);
    await discard("parent-7");
    expect(await found()).toEqual({ total: 227, shown: 227 });
    await builder.build(db, new AbortController().signal);
    const second = await live();
    expect(second.name).not.toBe(first);
    expect(await second.readPosition()).toEqual(await readNewest(db));
    await discard("parent-8");
    await expect.poll(found).toEqual({ total: 226, shown: 226 });
  });

  test("two that follow the same rows at once leave the newest state", async () => {
    await store(db, [draftFamily(1), draftFamily(2), draftFamily(3)]);
    await builder.build(db, new AbortController().signal);
    const one = await live();
    for (const id of ["parent-1", "parent-2"]) {
      await change(id, (tx) => tx.updateTable("draft").set({ updated: epoch }).where("parent_id", "=", id).execute());
    }
    const nothing = { seq: 0, counted: 0 };
    const first = followRows(one, db, nothing, await readNewest(db), (at) => one.storePosition(at));
    await discard("parent-2");
    const second = followRows(one, db, nothing, await readNewest(db), (at) => one.storePosition(at));
    await Promise.all([first, second]);
    expect(await one.readPosition()).toEqual(await readNewest(db));
    expect(await found()).toEqual({ total: 2, shown: 2 });
  });

  test("an index that was deleted is built again", async () => {
    await store(db, [draftFamily(1)]);
    await index.prepare(db);
    expect(await found()).toEqual({ total: 1, shown: 1 });
    await place.drop();
    await expect.poll(() => found().catch(() => undefined)).toEqual({ total: 1, shown: 1 });
  });

  test("a restored database gets another index: the one before has changes of a time that is gone", async () => {
    await store(db, [draftFamily(1)]);
    await index.prepare(db);
    const before = (await live()).name;
    await beginNewEpoch(db, "second", 0);
    expect(await builder.findLive(db)).toBeUndefined();
    const restored = indexAt(place.address);
    await restored.prepare(db);
    expect((await live()).name).not.toBe(before);
    await restored.close();
  });

  test("a document that the engine refuses keeps no other waiting, and stays in lists and counts", async () => {
    const [one, other] = [draftFamily(1), draftFamily(2)];
    await store(db, [one, other]);
    await index.prepare(db);
    const at = versionOf(await readNewest(db));
    const bad = indexedFamily("parent-1", await readFamily(db, "parent-1"), []);
    for (const { document } of bad.documents) document.k = ["x".repeat(40_000)];
    await (await live()).write([bad], at);
    expect(await found()).toEqual({ total: 2, shown: 2 });
  });

  test("a name that another library uses is refused, as is another engine", async () => {
    await store(db, [draftFamily(1)]);
    const other = openDatabase(":memory:");
    await claimForServer(other.db, "/elsewhere");
    const second = indexAt(place.address);
    await index.prepare(db);
    await until(async () => (await builder.findLive(db)) !== undefined, "the first library has its index");
    await expect(second.prepare(other.db)).rejects.toThrow("belongs to another library");
    await expect(builder.build(other.db, new AbortController().signal)).rejects.toThrow("belongs to another library");
    await second.close();
    await other.close();

    const old = createServer((_req, res) => res.end(JSON.stringify({ version: { number: "7.10.2" } })));
    await new Promise<void>((resolve) => old.listen(0, "127.0.0.1", resolve));
    const { port } = old.address() as AddressInfo;
    await expect(indexAt(`opensearch+http://127.0.0.1:${port}/x`).prepare(db)).rejects.toThrow(
      "OpenSearch 2 or later is needed",
    );
    await new Promise((resolve) => old.close(resolve));
  });

  test("the address holds the secret, which goes to the engine alone", () => {
    expect(readPlace("opensearch+https://me:s%2Fcret@search.example.org:9200/lib")).toEqual({
      url: "https://search.example.org:9200",
      authorization: `Basic ${Buffer.from("me:s/cret").toString("base64")}`,
      prefix: "lib",
    });
    expect(readPlace("opensearch+http://127.0.0.1:9200")).toMatchObject({ authorization: undefined, prefix: "carrel" });
    for (const address of ["http://127.0.0.1:9200/x", "opensearch+http://h/a,b", "opensearch+http://h/_all", "x"])
      expect(readPlace(address)).toBeUndefined();
  });
});
