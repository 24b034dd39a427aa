import type { Db } from "../../database/open.ts";
import type { FoundDocuments, RecordQuery, SearchIndex, SearchSettings } from "../search-index.ts";
import { findDocuments } from "./record-finder.ts";
import { findLargeIndexFile } from "./search-thread.repository.ts";
import { SearchThread } from "./search-thread.ts";
import type { GrantedLevels } from "./visibility.ts";

export interface SqliteSearchIndex extends SearchIndex {
  /** @param granted the caller's levels, where the rows are in another database than the index. */
  find(db: Db, settings: SearchSettings, query: RecordQuery, granted?: GrantedLevels): Promise<FoundDocuments>;
}

/**
 * The index in the tables `search_*` of the host's own database. A large index is searched in a thread of its own: one
 * query of the full-text engine cannot be split and would block the event loop (architecture, rule 10). The accelerator
 * of that thread changes no answer.
 */
export function sqliteSearchIndex({ isAccelerated = true }: { isAccelerated?: boolean } = {}): SqliteSearchIndex {
  let thread: SearchThread | undefined;

  /** The thread, if this database is to be searched there. */
  async function threadFor(db: Db): Promise<SearchThread | undefined> {
    if (thread?.isUsable) return thread;
    if (thread && !thread.hasStarted) return undefined;
    const databaseFile = await findLargeIndexFile(db);
    if (databaseFile === undefined) return undefined;
    // Another search may have started it meanwhile.
    if (!thread?.isUsable) thread = new SearchThread({ databaseFile, isAccelerated });
    return thread;
  }

  return {
    async find(db, settings, query, granted) {
      const aside = await threadFor(db);
      return aside && (await aside.started)
        ? aside.find(settings, query, granted)
        : findDocuments(db, settings, query, granted);
    },
    async prepare(db) {
      await (await threadFor(db))?.started;
    },
    async close() {
      await thread?.close();
    },
  };
}
