import { type Db, snapshot } from "../../shared/database/open.ts";
import type { FamilyRows } from "../../shared/search/record-document.ts";
import { readFamily } from "../../shared/search/sqlite/record-index.ts";
import { readFeedHead } from "../sync/feed-repair.service.ts";
import { type EngineIndex, type RowPosition, versionOf } from "./engine-index.ts";
import {
  listChangedFamilies,
  listCountedFamilies,
  listRecordIds,
  readCountedHead,
} from "./family-change.repository.ts";
import { type IndexedFamily, indexedFamily } from "./index-document.ts";

/** The feed is the queue: it names each family that changed, in the order of the commits. */
export const readNewest = async (db: Db): Promise<RowPosition> => ({
  seq: await readFeedHead(db),
  counted: await readCountedHead(db),
});

const familiesATime = 50;

/** Some families as they are at one moment. */
interface Moment {
  at: RowPosition;
  families: IndexedFamily[];
}

/** Reads families as they are in this snapshot. */
async function readMoment(db: Db, ids: readonly string[]): Promise<Moment> {
  const at = await readNewest(db);
  const records = await listRecordIds(db, ids);
  const families: IndexedFamily[] = [];
  for (const id of ids) {
    const own = records.filter((row) => row.parent_id === id).map((row) => row.id);
    const rows: FamilyRows | undefined = await readFamily(db, id);
    families.push(indexedFamily(id, rows, own));
  }
  return { at, families };
}

/** Writes families to the index as they are now. */
export async function indexFamilies(
  index: EngineIndex,
  db: Db,
  ids: readonly string[],
  options: { isRefreshed?: boolean } = {},
): Promise<void> {
  for (let from = 0; from < ids.length; from += familiesATime) {
    const some = ids.slice(from, from + familiesATime);
    const { at, families } = await snapshot(db, (moment) => readMoment(moment, some));
    await index.write(families, versionOf(at), options);
  }
}

/** Brings an index up to a position of the rows. May run in several processes at once. */
export async function followRows(
  index: EngineIndex,
  db: Db,
  from: RowPosition,
  upTo: RowPosition,
  onReached: (at: RowPosition) => Promise<unknown>,
): Promise<void> {
  // Families that changed together share a position, so the place within it counts, too.
  for (let after = { seq: from.seq + 1, id: "" }; from.seq < upTo.seq; ) {
    const changed = await listChangedFamilies(db, after, upTo.seq, familiesATime);
    await indexFamilies(
      index,
      db,
      changed.map(({ id }) => id),
    );
    const last = changed.length < familiesATime ? undefined : changed.at(-1);
    await onReached({ ...from, seq: last ? last.seq - 1 : upTo.seq });
    if (!last) break;
    after = last;
  }
  if (from.counted >= upTo.counted) return;
  await indexFamilies(index, db, await listCountedFamilies(db, from.counted));
  await onReached(upTo);
}
