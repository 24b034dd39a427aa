import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import type { Host } from "../kernel/host.ts";
import { recordFilters } from "./record-filters.ts";
import { type FinderSettings, type FoundDocuments, findDocuments, type RecordSearch } from "./record-finder.ts";
import { findRows } from "./record-search.repository.ts";
import { recordSorts } from "./record-sorts.ts";
import type { SearchRules } from "./search-parameters.ts";
import { findLargeIndexFile } from "./search-thread.repository.ts";
import { SearchThread } from "./search-thread.ts";

/** What `/api/records` accepts (search 1, 2). */
export const recordSearchRules: SearchRules = {
  sorts: recordSorts,
  defaultSort: "newest",
  defaultSize: 10,
  booleans: ["allversions"],
  filters: recordFilters,
};

/** What `/api/user/records` accepts. */
export const userRecordSearchRules: SearchRules = {
  ...recordSearchRules,
  booleans: ["allversions", "shared_with_me"],
  filters: [...recordFilters, "is_published"],
  booleanFilters: ["is_published"],
};

export interface RecordSearchService {
  /**
   * Published records, or drafts and records that the caller can edit (search 1).
   * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
   */
  search(db: Db, search: RecordSearch): Promise<FoundDocuments>;
  /** The rows of a page, in order, a part at a time. What was deleted meanwhile is left out. */
  rows(db: Db, page: FoundDocuments["page"]): AsyncGenerator<RecordRow | DraftRow>;
  /** Makes ready for the first search of a large index. */
  prepare(db: Db): Promise<void>;
  /** Ends the thread that large indexes are searched in. */
  close(): Promise<void>;
}

/**
 * Searches records and drafts. Where there are so many that one question to the database could hold everything else
 * up, a thread of its own asks it (architecture, rule 10).
 */
export function recordSearchService(host: Pick<Host, "now" | "settings">): RecordSearchService {
  let thread: SearchThread | undefined;

  /** The thread, if this database is to be searched there. */
  async function threadFor(db: Db): Promise<SearchThread | undefined> {
    if (thread?.isUsable) return thread;
    if (thread && !thread.hasStarted) return undefined;
    const file = await findLargeIndexFile(db);
    if (file === undefined) return undefined;
    // Another search may have started it meanwhile.
    if (!thread?.isUsable) thread = new SearchThread(file);
    return thread;
  }

  async function find(db: Db, search: RecordSearch): Promise<FoundDocuments> {
    const settings: FinderSettings = { now: host.now(), customFields: host.settings.custom_fields };
    const aside = await threadFor(db);
    return aside && (await aside.started) ? aside.find(settings, search) : findDocuments(db, settings, search);
  }

  return {
    search: find,
    rows: rowsOf,
    async prepare(db) {
      await (await threadFor(db))?.started;
    },
    async close() {
      await thread?.close();
    },
  };
}

const rowsAtOnce = 100;

async function* rowsOf(db: Db, page: FoundDocuments["page"]): AsyncGenerator<RecordRow | DraftRow> {
  for (let at = 0; at < page.length; at += rowsAtOnce) {
    const some = page.slice(at, at + rowsAtOnce);
    const idsOf = (isDraft: boolean) => some.filter((one) => one.isDraft === isDraft).map(({ id }) => id);
    const records = await findRows(db, "record", idsOf(false));
    const drafts = await findRows(db, "draft", idsOf(true));
    yield* some.flatMap(({ isDraft, id }) => (isDraft ? drafts : records).get(id) ?? []);
  }
}
