import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import type { Host } from "../kernel/host.ts";
import { declaredCustomFields } from "../metadata/custom-field-sets.schema.ts";
import { findRows } from "./record-search.repository.ts";
import type { FoundDocuments, RecordQuery, SearchIndex } from "./search-index.ts";
import type { SearchRules } from "./search-parameters.ts";

const filters = ["publication_date", "access_status", "file_type", "resource_type", "language", "subject"];

/** What `/api/records` accepts (search 1, 2, 7, 8). */
export const recordSearchRules: SearchRules = {
  sorts: ["bestmatch", "newest", "oldest", "updated-desc", "updated-asc", "version", "mostviewed", "mostdownloaded"],
  defaultSort: "newest",
  defaultSize: 10,
  booleans: ["allversions"],
  filters,
};

/** What `/api/user/records` accepts. */
export const userRecordSearchRules: SearchRules = {
  ...recordSearchRules,
  booleans: ["allversions", "shared_with_me"],
  filters: [...filters, "is_published"],
  booleanFilters: ["is_published"],
};

export interface RecordSearch {
  /**
   * Published records, or drafts and records that the caller can edit (search 1).
   * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
   */
  search(db: Db, query: RecordQuery): Promise<FoundDocuments>;
  /** The rows of a page, in order, a part at a time. Rows deleted since the search are left out. */
  rows(db: Db, page: FoundDocuments["page"]): AsyncGenerator<(RecordRow | DraftRow)[]>;
  /** Prepares the first search of a large index. */
  prepare(db: Db): Promise<void>;
  /** Ends the work of the index in the background. */
  close(): Promise<void>;
}

/** Searches records and drafts in an index. */
export function recordSearchService(host: Pick<Host, "now" | "settings">, index: SearchIndex): RecordSearch {
  return {
    search: (db, query) =>
      index.find(db, { now: host.now(), customFields: declaredCustomFields(host.settings) }, query),
    rows: rowsOf,
    prepare: (db) => index.prepare(db),
    close: () => index.close(),
  };
}

const rowsAtOnce = 100;

async function* rowsOf(db: Db, page: FoundDocuments["page"]): AsyncGenerator<(RecordRow | DraftRow)[]> {
  for (let at = 0; at < page.length; at += rowsAtOnce) {
    const some = page.slice(at, at + rowsAtOnce);
    const idsOf = (isDraft: boolean) => some.filter((one) => one.isDraft === isDraft).map(({ id }) => id);
    const records = await findRows(db, "record", idsOf(false));
    const drafts = await findRows(db, "draft", idsOf(true));
    yield some.flatMap(({ isDraft, id }) => (isDraft ? drafts : records).get(id) ?? []);
  }
}
