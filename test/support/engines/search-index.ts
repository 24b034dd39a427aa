import { randomBytes, randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
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
function engineUrl(): string {
  const url = process.env.CARREL_TEST_SEARCH;
  if (url === undefined) throw new Error("OpenSearch is not running");
  return url.replace(/\/$/, "");
}

/** A name for an index that nobody has. */
export function freshIndex(): TestIndex {
  const prefix = `carrel-test-${randomBytes(6).toString("hex")}`;
  const url = engineUrl();
  return {
    address: `opensearch+${url}/${prefix}`,
    drop: async () => {
      await fetch(`${url}/${prefix}-*`, { method: "DELETE" });
    },
  };
}

/** The index of a database in the running engine, dropped at the end of the test. */
export async function openedIndex(db: Db): Promise<SearchIndex> {
  const { address, drop } = freshIndex();
  onTestFinished(drop);
  const index = openSearchIndex({
    address,
    log: createLog("error"),
    isShared: false,
    now: () => Date.now() * 1000,
    newUuid: randomUUID,
  });
  await index.prepare(db);
  return index;
}
