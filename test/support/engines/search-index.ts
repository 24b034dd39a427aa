import { randomBytes, randomUUID } from "node:crypto";
import { openSearchIndex } from "../../../server/opensearch/opensearch-index.ts";
import type { Db } from "../../../shared/database/open.ts";
import { createLog } from "../../../shared/kernel/log.ts";
import type { SearchIndex } from "../../../shared/search/search-index.ts";

/** Whether the servers of the tests search in OpenSearch: the vitest project `opensearch`. */
export const isOnOpenSearch = process.env.CARREL_ON_OPENSEARCH === "1";

export interface TestIndex {
  /** What `carrel server --search` takes. */
  address: string;
  drop(): Promise<void>;
}

/** The running engine. */
export function engineUrl(): string {
  const url = process.env.CARREL_TEST_SEARCH;
  if (url === undefined) throw new Error("OpenSearch is not running");
  return url.replace(/\/$/, "");
}

/** A name for an index that nobody has. @param through the way to the engine */
export function freshIndex(through = engineUrl()): TestIndex {
  const prefix = `carrel-test-${randomBytes(6).toString("hex")}`;
  const url = engineUrl();
  return {
    address: `opensearch+${through}/${prefix}`,
    drop: async () => {
      await fetch(`${url}/${prefix}-*`, { method: "DELETE" });
    },
  };
}

/** The index at an address, which nothing has prepared yet. */
export const indexAt = (address: string): SearchIndex =>
  openSearchIndex({
    address,
    log: createLog("error"),
    isShared: false,
    now: () => Date.now() * 1000,
    newUuid: randomUUID,
  });

/** The index of a database in the running engine; closing drops it. */
export async function openedIndex(db: Db): Promise<SearchIndex> {
  const { address, drop } = freshIndex();
  const index = indexAt(address);
  await index.prepare(db);
  return {
    ...index,
    async close() {
      await index.close();
      await drop();
    },
  };
}
