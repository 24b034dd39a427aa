import type { Ports } from "../api.ts";
import { localUploadLock } from "../blobs/upload-lock.ts";
import { memoryDraftHistory } from "../drafts/draft-history.ts";
import { sqliteSearchIndex } from "../search/sqlite/sqlite-search-index.ts";

/** The ports of a host that is one process with one SQLite file. */
export const localPorts = (): Ports => ({
  searchIndex: sqliteSearchIndex(),
  uploadLock: localUploadLock(),
  draftHistory: ({ abilities }) => memoryDraftHistory(abilities),
});
