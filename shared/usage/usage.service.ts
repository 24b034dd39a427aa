import { isPostgres } from "../database/dialect.ts";
import { type Db, transaction } from "../database/open.ts";
import type { UsageCounts, UsageRow } from "../database/schema.ts";
import type { Host } from "../kernel/host.ts";
import { reindexUsage } from "../search/sqlite/record-index.ts";
import { HourlyVisitors, type Visitor } from "./hourly-visitors.ts";
import { isRobot } from "./robots.ts";
import { addUsage, findUsage, listRecordParents, listUsageOf, readUsageHead } from "./usage.repository.ts";

/** Counts views of records and downloads of files. */
export interface UsageService {
  viewed(visitor: Visitor, recordId: string): void;
  /** @param files the number of files, and their total bytes. */
  downloaded(visitor: Visitor, recordId: string, files: { count: number; sizeBytes: number }): void;
  /** Stores the counts since the last flush. */
  flush(): Promise<void>;
  /** The stored counts of a record and of its family. */
  list(db: Db, record: { id: string; parent_id: string }): Promise<UsageRow[]>;
  /** As `list`, for several records at once: the rows by the id of the record or family. */
  find(db: Db, records: readonly { id: string; parent_id: string }[]): Promise<Map<string, UsageRow>>;
}

/** Counts of one record that are not stored yet; visitors as digests of this hour. */
interface Visits {
  views: number;
  viewers: Set<string>;
  downloads: number;
  downloaders: Set<string>;
  sizeBytes: number;
}

const familiesAtOnce = 200;

/**
 * Counts in memory and writes at intervals, so that a read stays a read; a crash loses what was not flushed. A visitor
 * is a digest with a salt that changes every hour and is never stored (README). A replica does not count, because
 * reading one's own copy is not a visit to the repository.
 */
export function usageService(host: Host): UsageService {
  let pending = new Map<string, Visits>();
  const visitors = new HourlyVisitors(host);

  function visitsOf(recordId: string): Visits {
    const known = pending.get(recordId);
    if (known) return known;
    const visits = { views: 0, viewers: new Set<string>(), downloads: 0, downloaders: new Set<string>(), sizeBytes: 0 };
    pending.set(recordId, visits);
    return visits;
  }

  const isCounted = ({ userAgent }: Visitor): boolean => host.abilities.countsUsage && !isRobot(userAgent);

  const countsFor = (id: string, visits: Visits): UsageCounts => ({
    views: visits.views,
    unique_views: visitors.countNew(visits.viewers, `v ${id}`),
    downloads: visits.downloads,
    unique_downloads: visitors.countNew(visits.downloaders, `d ${id}`),
    data_volume: visits.sizeBytes,
  });

  async function write(batch: (readonly [string, Visits])[]): Promise<void> {
    await transaction(host.db, async (tx) => {
      const ids = batch.map(([id]) => id);
      const parents = new Map((await listRecordParents(tx, ids)).map(({ id, parent_id }) => [id, parent_id]));
      const seq = (await readUsageHead(tx)) + 1;
      for (const [id, visits] of batch) {
        const parent_id = parents.get(id);
        if (parent_id === undefined) continue;
        await addUsage(tx, { id, parent_id, seq }, countsFor(id, visits));
        await addUsage(tx, { id: parent_id, parent_id, seq }, countsFor(parent_id, visits));
      }
      if (!isPostgres(tx)) await reindexUsage(tx, [...new Set(parents.values())]);
    });
  }

  return {
    viewed(visitor, recordId) {
      if (!isCounted(visitor)) return;
      const visits = visitsOf(recordId);
      visits.views++;
      visits.viewers.add(visitors.digestOf(visitor));
    },
    downloaded(visitor, recordId, { count, sizeBytes }) {
      // An archive of a record without files is no download.
      if (!isCounted(visitor) || count === 0) return;
      const visits = visitsOf(recordId);
      visits.downloads += count;
      visits.sizeBytes += sizeBytes;
      visits.downloaders.add(visitors.digestOf(visitor));
    },
    async flush() {
      const all = [...pending];
      pending = new Map();
      for (let at = 0; at < all.length; at += familiesAtOnce) await write(all.slice(at, at + familiesAtOnce));
      visitors.forgetLastHour();
    },
    list: (db, { id, parent_id }) => listUsageOf(db, id, parent_id),
    find: (db, records) =>
      findUsage(
        db,
        records.flatMap(({ id, parent_id }) => [id, parent_id]),
      ),
  };
}
