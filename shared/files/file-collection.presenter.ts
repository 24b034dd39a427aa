import type { FileEntryRow } from "../database/schema.ts";
import { inOrder } from "../records/files-summary.presenter.ts";
import { type FileOwner, filesPath, presentEntry } from "./file.presenter.ts";

/** The draft or record whose files are listed. */
export interface CollectionOptions {
  files_enabled: number;
  default_preview: string | null;
  file_order: string;
}

/** The files of a record or draft (records 6.1); `links` are paths. */
export function presentCollection(
  options: CollectionOptions,
  entries: readonly FileEntryRow[],
  owner: FileOwner,
): Record<string, unknown> {
  const self = filesPath(owner);
  const links = { self, archive: `${self}-archive` };
  if (options.files_enabled === 0) return { enabled: false, links };
  const order: string[] = JSON.parse(options.file_order);
  return {
    enabled: true,
    links,
    entries: inOrder(entries, order).map((entry) => presentEntry(entry, owner)),
    default_preview: options.default_preview,
    order,
  };
}
