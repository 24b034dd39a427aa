import type { Db } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import type { CustomFieldDeclaration } from "../metadata/custom-fields.schema.ts";
import type { Aggregation } from "./facets.ts";
import type { SearchRequest } from "./search-parameters.ts";

export type RecordScope = "published" | "editable";

/** A search for records and drafts, as plain data: it travels between threads. */
export interface RecordQuery {
  caller: Caller;
  request: SearchRequest;
  scope: RecordScope;
  /** Only the versions under this parent. */
  parentId?: string;
  /** `Accept-Language` of the call: titles in facets. */
  languages?: string;
  /** Leaves the aggregations out. */
  isUncounted?: boolean;
}

export interface FoundDocuments {
  /** The page, in order. */
  page: { isDraft: boolean; id: string }[];
  total: number;
  aggregations: Record<string, Aggregation>;
}

/** Microseconds UTC, and what the operator declares. */
export interface SearchSettings {
  now: number;
  customFields: readonly CustomFieldDeclaration[];
}

/** An index of records and drafts. */
export interface SearchIndex {
  /**
   * Finds the documents that the caller may see.
   * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
   */
  find(db: Db, settings: SearchSettings, query: RecordQuery): Promise<FoundDocuments>;
  /** Loads what the first search of a large index would have to wait for. */
  prepare(db: Db): Promise<void>;
  close(): Promise<void>;
}
