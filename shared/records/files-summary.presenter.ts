import type { FileEntryRow } from "../database/schema.ts";
import { type FileOwner, presentEntry } from "../files/file.presenter.ts";

/** The `files` of a record or draft body (records 3.5). */
export interface FilesFacts {
  enabled: boolean;
  defaultPreview: string | null;
  order: string[];
  /** Entries of the record or draft; undefined for a caller who may not read the files. */
  entries?: FileEntryRow[];
}

/** `media_files` of every body: they are not offered. */
export const noMediaFiles = { enabled: false, order: [], count: 0, total_bytes: 0, entries: {} };

/** The extension in lower case without the dot; empty without one. */
const extensionOf = (key: string): string => /[^/]\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? "";

/** Entries in `order` first, then the others by creation time (records 6.6). */
export function inOrder(entries: readonly FileEntryRow[], order: readonly string[]): FileEntryRow[] {
  const rank = new Map(order.map((key, index) => [key, index]));
  const rankOf = (entry: FileEntryRow): number => rank.get(entry.key) ?? order.length;
  return [...entries].sort((a, b) => rankOf(a) - rankOf(b) || a.position - b.position || a.created - b.created);
}

/** An entry in a record's body: with `id` and `ext`, which clients read there (interoperability 41). */
const summaryEntry = (entry: FileEntryRow, owner: FileOwner): Record<string, unknown> => ({
  ...(entry.status === "completed" ? { id: entry.file_id } : {}),
  ext: extensionOf(entry.key),
  ...presentEntry(entry, owner),
});

/** The `files` object, keyed by file name, with totals of the uploaded files. */
export function filesSummary(facts: FilesFacts, owner: FileOwner): Record<string, unknown> {
  const { enabled, entries } = facts;
  if (!entries) return { enabled };
  const completed = entries.filter((entry) => entry.status === "completed");
  return {
    enabled,
    default_preview: facts.defaultPreview,
    order: facts.order,
    count: completed.length,
    total_bytes: completed.reduce((sum, entry) => sum + (entry.size ?? 0), 0),
    entries: Object.fromEntries(inOrder(entries, facts.order).map((entry) => [entry.key, summaryEntry(entry, owner)])),
  };
}
