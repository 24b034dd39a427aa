import type { Ports } from "../api.ts";
import { localUploadLock } from "../blobs/upload-lock.ts";
import { memoryDraftHistory } from "../drafts/draft-history.ts";
import { diskPictures } from "../pictures/pictures.ts";
import { sqliteSearchIndex } from "../search/sqlite/sqlite-search-index.ts";

/**
 * The ports of a host that is one process with one SQLite file.
 * @param pictures folder of the pictures that were drawn
 */
export const localPorts = (pictures: string): Ports => ({
  searchIndex: sqliteSearchIndex(),
  uploadLock: localUploadLock(),
  pictures: diskPictures({ folder: pictures }),
  draftHistory: ({ abilities }) => memoryDraftHistory(abilities),
});
