import type { Ports } from "../api.ts";
import { sharedUploadLock } from "../blobs/shared-upload-lock.ts";
import { storedDraftHistory } from "../drafts/stored-draft-history.ts";
import type { Host } from "../kernel/host.ts";
import { diskPictures } from "../pictures/pictures.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { sqliteSearchIndex } from "../search/sqlite/sqlite-search-index.ts";

/**
 * The ports of one of several server processes with one database.
 * @param pictures folder of the rendered pictures
 */
export const sharedPorts = (host: Host, pictures: string, searchIndex: SearchIndex = sqliteSearchIndex()): Ports => ({
  searchIndex,
  uploadLock: sharedUploadLock(host),
  pictures: diskPictures({ folder: pictures }),
  draftHistory: storedDraftHistory,
});
