import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase, transaction } from "../../shared/database/open.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import type { FamilyRows } from "../../shared/search/record-document.ts";
import type { SearchIndex } from "../../shared/search/search-index.ts";
import { findGrantedLevels } from "../../shared/search/sqlite/granted-levels.ts";
import { indexFamily, indexUsage, readFamily, readUsage } from "../../shared/search/sqlite/record-index.ts";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import {
  type IndexPosition,
  listChangedFamilies,
  listCountedFamilies,
  makeReplaceable,
  readNewest,
  readPosition,
  storePosition,
} from "./local-index.repository.ts";

const familiesATime = 20;
const countedATime = 200;

/** Brings the records of an index up to a position of the feed. */
async function followFeed(index: Db, rows: Db, from: IndexPosition, upTo: number): Promise<void> {
  // Families that changed together share a position, so the place within it counts, too.
  let after = { seq: from.seq + 1, id: "" };
  for (;;) {
    const changed = await listChangedFamilies(rows, after, upTo, familiesATime);
    const families: { id: string; found: FamilyRows | undefined }[] = [];
    for (const { id } of changed) families.push({ id, found: await readFamily(rows, id) });
    const last = changed.length < familiesATime ? undefined : changed.at(-1);
    await transaction(index, async (tx) => {
      for (const { id, found } of families) await indexFamily(tx, id, found);
      await storePosition(tx, { ...from, seq: last ? last.seq - 1 : upTo });
    });
    if (!last) return;
    after = last;
    await yieldToEventLoop();
  }
}

async function followUsage(index: Db, rows: Db, from: IndexPosition, upTo: number): Promise<void> {
  const counted = await listCountedFamilies(rows, from.counted);
  for (let start = 0; start < counted.length; start += countedATime) {
    const ids = counted.slice(start, start + countedATime);
    const usage = await readUsage(rows, ids);
    await transaction(index, (tx) => indexUsage(tx, ids, usage));
  }
  await storePosition(index, { ...from, counted: upTo });
}

/** Brings an index up to a position of the rows. */
async function follow(index: Db, rows: Db, upTo: IndexPosition): Promise<void> {
  const from = await readPosition(index);
  if (from.seq < upTo.seq) await followFeed(index, rows, from, upTo.seq);
  if (from.counted < upTo.counted) await followUsage(index, rows, { ...from, seq: upTo.seq }, upTo.counted);
}

/**
 * A search index of this process alone: the one of SQLite, in a temporary file, fed from the feed. A search first waits
 * until the index has what its reader sees, so each user finds what they wrote through any process.
 */
export function localSearchIndex(): SearchIndex {
  const inner = sqliteSearchIndex();
  let opened: Promise<OpenIndex> | undefined;
  let reached: IndexPosition = { seq: 0, counted: 0 };
  let running: Promise<void> = Promise.resolve();

  const isBehind = ({ seq, counted }: IndexPosition) => reached.seq < seq || reached.counted < counted;

  async function step({ db }: OpenIndex, rows: Db, upTo: IndexPosition): Promise<void> {
    if (!isBehind(upTo)) return;
    await follow(db, rows, upTo);
    reached = upTo;
  }

  /** @returns the index, once it has what this reader of the rows sees. */
  async function indexOf(rows: Db): Promise<Db> {
    opened ??= openIndex();
    const index = await opened;
    const upTo = await readNewest(rows);
    // One after the other. A failure belongs to the search that met it.
    running = running.catch(() => undefined).then(() => step(index, rows, upTo));
    await running;
    return index.db;
  }

  return {
    async find(rows, settings, query) {
      const index = await indexOf(rows);
      const granted = await findGrantedLevels(rows, query.caller, dayOf(settings.now));
      return inner.find(index, settings, query, granted);
    },
    prepare: async (rows) => inner.prepare(await indexOf(rows)),
    async close() {
      await running.catch(() => undefined);
      await inner.close();
      await (await opened)?.close();
    },
  };
}

interface OpenIndex {
  db: Db;
  close(): Promise<void>;
}

async function openIndex(): Promise<OpenIndex> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-index-"));
  const index = openDatabase(join(folder, "index.sqlite"));
  await makeReplaceable(index.db);
  return {
    db: index.db,
    async close() {
      await index.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
