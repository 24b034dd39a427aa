import { readAccess } from "../../shared/access/embargo.lifecycle.ts";
import type { Collection } from "../../shared/collections/collection.policy.ts";
import { listCollections } from "../../shared/collections/collection-list.ts";
import type { HarvestItemRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { mayReadFiles, mayReadRecord } from "../../shared/records/record.policy.ts";
import { presentRecord } from "../../shared/records/record.presenter.ts";
import { type PresentedRecord, presented } from "../../shared/representations/presented-record.ts";
import {
  countItems,
  findChanges,
  findItem,
  type HarvestPlace,
  type HarvestSelection,
  listItems,
  listSpecs,
} from "./harvest-item.repository.ts";
import { findHarvestRows } from "./harvest-record.repository.ts";

export type { HarvestPlace, HarvestSelection };

export interface HarvestPage {
  items: HarvestItemRow[];
  hasMore: boolean;
}

/** An item with its record as a stranger reads it; undefined for a deleted item. */
export interface HarvestedRecord {
  item: HarvestItemRow;
  record: PresentedRecord | undefined;
}

export interface HarvestService {
  /** A page of items after a place; one more row is read, so that the last page is known as such. */
  page(selection: HarvestSelection, after: HarvestPlace | undefined, size: number): Promise<HarvestPage>;
  count(selection: HarvestSelection): Promise<number>;
  find(id: string): Promise<HarvestItemRow | undefined>;
  /** The first and last change of all items, in microseconds; undefined without items. */
  changes(): Promise<{ first: number; last: number } | undefined>;
  /** Names of all sets. */
  sets(): Promise<string[]>;
  collections(): Promise<readonly Collection[]>;
  /** The records of items. One that became restricted after its item was read counts as deleted. */
  recordsOf(items: readonly HarvestItemRow[]): Promise<HarvestedRecord[]>;
}

const beforeAll: HarvestPlace = { changed: -1, id: "" };

/** Reads what harvesters may have: the public versions, and those that were public. */
export function harvestService(host: Pick<Host, "db" | "now" | "abilities" | "baseUrl" | "settings">): HarvestService {
  const { db, baseUrl } = host;

  async function recordsOf(items: readonly HarvestItemRow[]): Promise<HarvestedRecord[]> {
    const ids = items.filter(({ state }) => state === "live").map(({ record_id }) => record_id);
    const rows = ids.length === 0 ? undefined : await findHarvestRows(db, ids);
    return items.map((item) => {
      const row = item.state === "live" ? rows?.records.get(item.record_id) : undefined;
      const parent = row && rows?.parents.get(row.parent_id);
      const access = row && readAccess(host, row.access);
      if (!row || !parent || !access || !mayReadRecord(access, "none"))
        return { item: { ...item, state: "deleted" }, record: undefined };
      const isLatest = row.is_latest === 1;
      const entries = row.files_enabled === 1 ? (rows?.entries.get(row.id) ?? []) : [];
      const facts = { baseUrl, parent, access, isLatest, isLatestDraft: isLatest, isFirst: false };
      const body = presentRecord(row, mayReadFiles(access, "none") ? { ...facts, entries } : facts);
      return { item, record: presented(body) };
    });
  }

  return {
    async page(selection, after, size) {
      const rows = await listItems(db, selection, after ?? beforeAll, size + 1);
      return { items: rows.slice(0, size), hasMore: rows.length > size };
    },
    count: (selection) => countItems(db, selection),
    find: (id) => findItem(db, id),
    changes: () => findChanges(db),
    sets: async () => (await listSpecs(db)).map(({ spec }) => spec),
    collections: () => listCollections(db, host.settings),
    recordsOf,
  };
}
