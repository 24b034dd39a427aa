import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenPostgres, openPostgres } from "../../server/postgres/open-postgres.ts";
import { addToFeed, readHead } from "../../server/sync/feed.repository.ts";
import { type Db, snapshot, type Tx, transaction } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import { startPostgres } from "../support/engines/postgres.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

/** The locks of a commit with entries of the feed, and of writes that go one after the other. */
const feedLock = 727_001;
const writeLockId = 727_003;

describe.skipIf(!postgres)("the order of the feed (scale 4, issue 19)", () => {
  let opened: OpenPostgres;
  let db: Db;
  beforeAll(async () => {
    opened = await openPostgres((await postgres?.freshDatabase())?.address ?? "");
    db = opened.db;
    return () => opened.close();
  });

  const entry = (object_id: string) => ({ user_id: "1", kind: "family", object_id, state: "live" as const });

  /** Resolves when a session holds a lock, or when one waits for it. */
  const locked = (lock: number, isHeld: boolean) =>
    expect
      .poll(async () => {
        const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${lock}
          and granted = ${isHeld} and database = (select oid from pg_database where datname = current_database())`.execute(
          db,
        );
        return rows.length;
      })
      .toBe(1);

  /** Someone who reads the feed with a cursor. */
  async function reader() {
    let cursor = await readHead(db);
    const seen: string[] = [];
    const read = () =>
      snapshot(db, async (moment) => {
        const rows = await moment.selectFrom("feed").selectAll().where("seq", ">", cursor).orderBy("seq").execute();
        seen.push(...rows.map((row) => row.object_id));
        cursor = rows.at(-1)?.seq ?? cursor;
      });
    return { read, seen };
  }

  const newIds = () => [`${Math.random()}`, `${Math.random()}`] as const;

  /** What a reader misses when the first of two writes commits last. */
  async function missed(write: (tx: Db, id: string) => Promise<void>): Promise<string[]> {
    const [first, second] = newIds();
    const { read, seen } = await reader();
    const isWritten = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const slow = transaction(db, async (tx) => {
      await write(tx, first);
      isWritten.resolve();
      await mayCommit.promise;
    });
    await isWritten.promise;
    await transaction(db, (tx) => write(tx, second));
    await read();
    mayCommit.resolve();
    await slow;
    await read();
    return [first, second].filter((id) => !seen.includes(id));
  }

  test("no reader misses an entry, whichever commits last", async () => {
    expect(await missed((tx, id) => addToFeed(tx as Tx, [entry(id)]))).toEqual([]);
  });

  test("planted fault: a reader misses positions of a plain sequence", async () => {
    const bare = async (tx: Db, id: string) => {
      await sql`insert into feed (user_id, kind, object_id, seq, state)
        values ('1', 'family', ${id}, nextval('feed_position'), 'live')`.execute(tx);
    };
    expect(await missed(bare)).toHaveLength(1);
  });

  test("planted fault: with a lock taken after `begin`, a position is given twice, and a reader misses one entry", async () => {
    const [first, second] = newIds();
    const { read, seen } = await reader();
    const writeWhen = (id: string, mayWrite: Promise<void>) =>
      db.connection().execute(async (one) => {
        await sql`begin isolation level repeatable read`.execute(one);
        await sql`select pg_advisory_xact_lock(${feedLock})`.execute(one);
        await mayWrite;
        await sql`insert into feed (user_id, kind, object_id, seq, state)
          select '1', 'family', ${id}, coalesce(max(seq), 0) + 1, 'live' from feed`.execute(one);
        await sql`commit`.execute(one);
      });
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const earlier = writeWhen(first, gates[0].promise);
    await locked(feedLock, true);
    const later = writeWhen(second, gates[1].promise);
    await locked(feedLock, false);
    gates[0].resolve();
    await earlier;
    await read();
    gates[1].resolve();
    await later;
    await read();
    expect(seen).toEqual([first]);
    await sql`select setval('feed_position', max(seq)) from feed`.execute(db);
  });

  /** What a reader misses who reads the entries, and then how far they go, while somebody commits. */
  async function missedBetween(
    inMoment: (work: (moment: Db) => Promise<number>) => Promise<number>,
  ): Promise<string[]> {
    const [id] = newIds();
    const listAfter = async (one: Db, after: number) =>
      (await one.selectFrom("feed").selectAll().where("seq", ">", after).execute()).map((row) => row.object_id);
    const seen: string[] = [];
    const begun = await readHead(db);
    const isRead = Promise.withResolvers<void>();
    const writing = isRead.promise.then(() => transaction(db, (tx) => addToFeed(tx, [entry(id)])));
    const cursor = await inMoment(async (moment) => {
      seen.push(...(await listAfter(moment, begun)));
      isRead.resolve();
      await writing;
      return readHead(moment);
    });
    seen.push(...(await listAfter(db, cursor)));
    return seen.includes(id) ? [] : [id];
  }

  test("a page and its cursor are of one moment", async () => {
    expect(await missedBetween((work) => snapshot(db, work))).toEqual([]);
  });

  test("planted fault: at READ COMMITTED, the cursor passes an entry that was not read", async () => {
    const loose = (work: (moment: Db) => Promise<number>) =>
      db.connection().execute(async (one) => {
        await sql`begin isolation level read committed`.execute(one);
        const cursor = await work(one);
        await sql`commit`.execute(one);
        return cursor;
      });
    expect(await missedBetween(loose)).toHaveLength(1);
  });

  /** How often a write begins that has three conflicts, then waits for the lock while another process writes. */
  async function attempts(write: (work: (tx: Tx) => Promise<void>) => Promise<unknown>): Promise<number> {
    await storeSetting(db, "count", "0");
    const others = Promise.withResolvers<void>();
    let begun = 0;
    const holding = db.connection().execute(async (one) => {
      await sql`select pg_advisory_lock(${writeLockId})`.execute(one);
      await others.promise;
      await sql`select pg_advisory_unlock(${writeLockId})`.execute(one);
    });
    await locked(writeLockId, true);
    const writing = write(async (tx) => {
      begun += 1;
      if (begun < 4) throw Object.assign(new Error("a conflict"), { code: "40001" });
      await storeSetting(tx, "count", String(Number(await findSetting(tx, "count")) + 1));
    });
    await locked(writeLockId, false);
    // As another process: in this one the write that waits may have the only lane.
    await storeSetting(db, "count", "10");
    others.resolve();
    await Promise.all([holding, writing]);
    expect(await findSetting(db, "count")).toBe("11");
    return begun;
  }

  test("a write that has waited for the lock sees what was written meanwhile, and has no further conflict", async () => {
    expect(await attempts((work) => transaction(db, work))).toBe(4);
  });

  test("planted fault: a write that takes the lock after `begin` conflicts once more, however long it waited", async () => {
    const afterBegin = async (work: (tx: Tx) => Promise<void>) => {
      const attempt = (number: number) =>
        db.connection().execute(async (one) => {
          await sql`begin isolation level serializable`.execute(one);
          try {
            if (number >= 4) await sql`select pg_advisory_xact_lock(${writeLockId})`.execute(one);
            await work(one as Tx);
            await sql`commit`.execute(one);
            return true;
          } catch {
            await sql`rollback`.execute(one);
            return false;
          }
        });
      for (let number = 1; !(await attempt(number)); ) number += 1;
    };
    expect(await attempts(afterBegin)).toBe(5);
  });

  test("of many writers at once a reader sees all, and each result with its position", async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `many-${at}`);
    const { read, seen } = await reader();
    let isDone = false;
    const reading = (async () => {
      for (let wasDone = false; !wasDone; ) {
        wasDone = isDone;
        await read();
      }
    })();
    const write = (id: string) =>
      transaction(db, (tx) =>
        addToFeed(tx, [entry(id)], { id: `op-${id}`, user_id: "1", digest: "", result: "{}", created: 1 }),
      );
    await Promise.all(ids.map(write));
    isDone = true;
    await reading;
    expect(seen.sort()).toEqual(ids.sort());
    const results = await sql<{ n: number }>`select count(*) as n from operation_result r join feed f
      on f.seq = r.seq and r.id = 'op-' || f.object_id`.execute(db);
    expect(results.rows).toEqual([{ n: ids.length }]);
  });
});
