import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import type { HarvestItemRow } from "../../shared/database/schema.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";

/** A version of a family, the item it has already, and the latest change of any item. */
export interface HarvestCandidate {
  id: string;
  access: string;
  is_deleted: number;
  revision_id: number;
  is_latest: number;
  files_enabled: number;
  resource_type: string | null;
  known: Pick<HarvestItemRow, "state" | "revision" | "sets" | "changed" | "files" | "bytes"> | undefined;
  last_changed: number;
}

interface CandidateRow extends Omit<HarvestCandidate, "known"> {
  state: HarvestItemRow["state"] | null;
  revision: number;
  sets: string;
  changed: number;
  files: number;
  bytes: number;
}

const selectCandidates = prepared(
  (_db, parentId: string) => sql<CandidateRow>`
    select record.id, record.access, case when record.tombstone is null then 0 else 1 end as is_deleted,
      record.revision_id, record.is_latest, record.files_enabled,
      (record.expanded ->> 'resource_type') ->> 'id' as resource_type,
      item.state, item.revision, item.sets, item.changed, item.files, item.bytes,
      (select coalesce(max(changed), 0) from harvest_item) as last_changed
    from record left join harvest_item as item on item.record_id = record.id
    where record.parent_id = ${parentId} order by record.version_index`,
);

/** The published versions of a family, deleted ones included. */
export async function listCandidates(db: Db, parentId: string): Promise<HarvestCandidate[]> {
  const rows = await selectCandidates(db, parentId);
  return rows.map(({ state, revision, sets, changed, files, bytes, ...row }) => ({
    ...row,
    known: state === null ? undefined : { state, revision, sets, changed, files, bytes },
  }));
}

const upsertItem = prepared((db, row: HarvestItemRow) =>
  db
    .insertInto("harvest_item")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("record_id").doUpdateSet(({ ref }) => ({
        changed: ref("excluded.changed"),
        state: ref("excluded.state"),
        sets: ref("excluded.sets"),
        revision: ref("excluded.revision"),
        is_latest: ref("excluded.is_latest"),
        files: ref("excluded.files"),
        bytes: ref("excluded.bytes"),
      })),
    ),
);

/** Files, and their bytes. */
export interface OpenFiles {
  files: number;
  bytes: number;
}

const countFiles = preparedFirst(
  (_db, parentId: string, recordId: string) => sql<OpenFiles>`
    select count(*) as files, coalesce(sum(size), 0) as bytes from file_entry
    where parent_id = ${parentId} and owner_kind = 'record' and owner_id = ${recordId} and status = 'completed'`,
);

/** The files of a record. */
export const filesOfRecord = async (db: Db, parentId: string, recordId: string): Promise<OpenFiles> =>
  (await countFiles(db, parentId, recordId)) ?? { files: 0, bytes: 0 };

const sumPart = preparedFirst(
  (_db, after: string, limit: number) => sql<OpenFiles & { count: number; last: string | null }>`
    select count(*) as count, max(record_id) as last, coalesce(sum(files), 0) as files, coalesce(sum(bytes), 0) as bytes
    from (select record_id, files, bytes from harvest_item where files > 0 and record_id > ${after}
      order by record_id limit ${limit}) as part`,
);

/** The files of all items, summed a part at a time, as `countItems` does. */
export async function sumFiles(db: Db, itemsATime = 10_000): Promise<OpenFiles> {
  const sums = { files: 0, bytes: 0 };
  for (let after = ""; ; ) {
    const part = await sumPart(db, after, itemsATime);
    sums.files += part?.files ?? 0;
    sums.bytes += part?.bytes ?? 0;
    if (part?.last == null || part.count < itemsATime) return sums;
    after = part.last;
    await yieldToEventLoop();
  }
}

const specsOf = (sets: string): string[] => sets.split(" ").filter((spec) => spec !== "");

/** Inserts or replaces an item and its sets. */
export async function storeItem(db: Db, row: HarvestItemRow, known: HarvestCandidate["known"]): Promise<void> {
  await upsertItem(db, row);
  if (known) {
    await db
      .deleteFrom("harvest_set")
      .where("spec", "in", specsOf(known.sets))
      .where("changed", "=", known.changed)
      .where("record_id", "=", row.record_id)
      .execute();
  }
  const rows = specsOf(row.sets).map((spec) => ({ spec, changed: row.changed, record_id: row.record_id }));
  if (rows.length > 0) await db.insertInto("harvest_set").values(rows).execute();
}

/** Which items a list holds; times in microseconds, both ends included. */
export interface HarvestSelection {
  set?: string | undefined;
  from: number;
  until: number;
}

/** The place of an item in the order of all lists. */
export interface HarvestPlace {
  changed: number;
  id: string;
}

const listAll = prepared(
  (_db, from: number, until: number, changed: number, id: string, limit: number) => sql<HarvestItemRow>`
    select * from harvest_item where (changed, record_id) > (${changed}, ${id}) and changed >= ${from}
      and changed <= ${until} order by changed, record_id limit ${limit}`,
);

const listInSet = prepared(
  (_db, set: string, from: number, until: number, changed: number, id: string, limit: number) => sql<HarvestItemRow>`
    select item.* from harvest_set as listed join harvest_item as item on item.record_id = listed.record_id
    where listed.spec = ${set} and (listed.changed, listed.record_id) > (${changed}, ${id})
      and listed.changed >= ${from} and listed.changed <= ${until}
    order by listed.changed, listed.record_id limit ${limit}`,
);

/** Items after a place, in the order of their changes. */
export const listItems = (
  db: Db,
  { set, from, until }: HarvestSelection,
  { changed, id }: HarvestPlace,
  limit: number,
): Promise<HarvestItemRow[]> =>
  set === undefined
    ? listAll(db, from, until, changed, id, limit)
    : listInSet(db, set, from, until, changed, id, limit);

interface CountedPart {
  count: number;
  last: number;
}

const countAll = preparedFirst(
  (_db, from: number, until: number, limit: number) => sql<CountedPart>`
    select count(*) as count, max(changed) as last from (
      select changed from harvest_item where changed >= ${from} and changed <= ${until} order by changed limit ${limit}) as part`,
);

const countInSet = preparedFirst(
  (_db, set: string, from: number, until: number, limit: number) => sql<CountedPart>`
    select count(*) as count, max(changed) as last from (
      select changed from harvest_set where spec = ${set} and changed >= ${from} and changed <= ${until}
      order by changed limit ${limit}) as part`,
);

/** How many items a list holds. Counts a part at a time, so that a million items do not block other requests. */
export async function countItems(db: Db, { set, from, until }: HarvestSelection, itemsATime = 20_000): Promise<number> {
  let total = 0;
  for (let start = from; ; ) {
    const part = await (set === undefined
      ? countAll(db, start, until, itemsATime)
      : countInSet(db, set, start, until, itemsATime));
    total += part?.count ?? 0;
    if (!part || part.count < itemsATime) return total;
    // No two items have the same time.
    start = part.last + 1;
    await yieldToEventLoop();
  }
}

export const findItem = preparedFirst((db, id: string) =>
  db.selectFrom("harvest_item").selectAll().where("record_id", "=", id),
);

const findEnds = preparedFirst(
  () => sql<{ first: number | null; last: number | null }>`
    select (select min(changed) from harvest_item) as first, (select max(changed) from harvest_item) as last`,
);

/** The first and the last change of all items; undefined without items. */
export async function findChanges(db: Db): Promise<{ first: number; last: number } | undefined> {
  const ends = await findEnds(db);
  return ends?.first == null || ends.last == null ? undefined : { first: ends.first, last: ends.last };
}

/** The names of all sets. Jumps from one name to the next, instead of reading the set of each item. */
export const listSpecs = prepared(
  () => sql<{ spec: string }>`
    with recursive known(spec) as (
      select min(spec) from harvest_set
      union all
      select (select min(spec) from harvest_set where harvest_set.spec > known.spec) from known where spec is not null)
    select spec from known where spec is not null`,
);

/** Families with published versions, in the order of their ids. */
export const listFamilies = prepared(
  (_db, after: string, limit: number) => sql<{ parent_id: string }>`
    select distinct parent_id from record where parent_id > ${after} order by parent_id limit ${limit}`,
);

/** One file of the sitemap: the ids of its ends, how many they are, and their last change. */
export interface SitemapPart {
  first: string;
  last: string;
  count: number;
  changed: number;
}

export const findSitemapPart = preparedFirst(
  (_db, after: string, limit: number) => sql<SitemapPart>`
    select min(record_id) as first, max(record_id) as last, count(*) as count, max(changed) as changed
    from (select record_id, changed from harvest_item where state = 'live' and is_latest = 1 and record_id > ${after}
      order by record_id limit ${limit}) as part having count(*) > 0`,
);

/** Items of the sitemap from an id on. */
export const listListed = prepared(
  (_db, first: string, limit: number) => sql<{ record_id: string; changed: number }>`
    select record_id, changed from harvest_item where state = 'live' and is_latest = 1 and record_id >= ${first}
    order by record_id limit ${limit}`,
);
