import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { type Caller, isManager, isSuperuser } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import { declaredCatalogue } from "../../shared/search/declared-catalogue.ts";
import { boundRequest } from "../../shared/search/language/bound-request.ts";
import { recordAggregations, titlesIn } from "../../shared/search/record-aggregations.ts";
import type { FoundDocuments, RecordQuery, SearchIndex, SearchSettings } from "../../shared/search/search-index.ts";
import { findGrantedLevels } from "../../shared/search/sqlite/granted-levels.ts";
import { lastSeqFor } from "../sync/feed.service.ts";
import { readFeedHead } from "../sync/feed-repair.service.ts";
import { EngineSearch } from "./engine-search.ts";
import { countFamilies, prepareFeed } from "./family-change.repository.ts";
import { IndexBuilder } from "./index-builder.ts";
import { IndexKeeper, type KeeperOptions } from "./index-keeper.ts";
import { EngineError, isMissing, OpenSearchClient, readPlace, SearchAway } from "./opensearch-client.ts";
import { stillVisible } from "./page-check.ts";
import { VisibilityFilter } from "./visibility-filter.ts";

export interface OpenSearchOptions extends Pick<KeeperOptions, "isShared" | "now" | "newUuid"> {
  /** `opensearch+http://user:password@host:9200/prefix` */
  address: string;
  log: Logger;
}

/** The oldest version of the engine. */
const oldestMajor = 2;
/**
 * How long a search waits for what others have written, and for what its own user has written: a late answer is better
 * than one without it. Both come at once unless the engine is overloaded.
 */
const waitMs = { others: 1500, own: 10_000 };

/**
 * The index of a large site, in OpenSearch. It follows the feed, so a write needs no engine. The rows decide who may see
 * what: grants are read at the time of the search, and the rows of a page are checked again.
 */
export function openSearchIndex({ address, log, ...options }: OpenSearchOptions): SearchIndex {
  const { client, prefix, url } = clientAt(address);
  const builder = new IndexBuilder(client, prefix, log);
  const search = new EngineSearch(client);
  let keeper: IndexKeeper | undefined;
  /** Whether the index was behind for longer than a search waits: the next ones do not wait, too. */
  let isLagging = false;

  function keeperOf(db: Db): IndexKeeper {
    keeper ??= new IndexKeeper({ db, builder, log, ...options });
    return keeper;
  }

  /** Waits until the index has what the caller sees in the rows, for a while. */
  async function catchUp(db: Db, keeping: IndexKeeper, caller: Caller): Promise<void> {
    const head = await readFeedHead(db);
    if (keeping.hasReached(head)) {
      isLagging = false;
      return;
    }
    const run = keeping.run();
    if (!isLagging) await within(run, waitMs.others);
    isLagging = !keeping.hasReached(head);
    if (!isLagging) return;
    const own = isSuperuser(caller) || isManager(caller) ? head : await lastSeqFor(db, caller);
    if (!keeping.hasReached(own)) await within(run, waitMs.own);
  }

  async function find(
    db: Db,
    { now, customFields }: SearchSettings,
    query: RecordQuery,
    isAgain = false,
  ): Promise<FoundDocuments> {
    const { caller, request, scope } = query;
    const catalogue = declaredCatalogue(customFields);
    const node = boundRequest(request, catalogue, now);
    const keeping = keeperOf(db);
    await keeping.current();
    await catchUp(db, keeping, caller);
    // Not before: another index may have come in its place, and that one has caught up.
    const index = await keeping.current();
    const granted = await findGrantedLevels(db, caller, dayOf(now));
    const visibility = new VisibilityFilter(caller, granted);
    const translation = { catalogue, readableFiles: visibility.readableFiles() };
    const isUncounted = query.isUncounted === true;
    const universe = visibility.universe(query);
    try {
      const found = await search.find(index, { node, request, universe, translation, isUncounted });
      const page = await stillVisible(db, found.page, { caller, granted, scope });
      const { filters } = request;
      const answer = { filters, titleOf: titlesIn(query.languages), hasPublished: scope === "editable" };
      const aggregations = found.counts ? recordAggregations(found.counts, answer) : {};
      return { page, total: found.total, aggregations };
    } catch (error) {
      if (!isMissing(error)) throw error;
      keeping.forget();
      if (isAgain) throw new SearchAway(error);
      return find(db, { now, customFields }, query, true);
    }
  }

  return {
    find: (db, settings, query) => find(db, settings, query),
    async prepare(db) {
      try {
        await checkVersion(client, url);
        await builder.findLive(db);
      } catch (error) {
        // A server starts without its search engine, and finds it later.
        if (!(error instanceof SearchAway)) throw error;
      }
      await within(keeperOf(db).run(), 5000);
    },
    async close() {
      await keeper?.stop();
    },
  };
}

/**
 * Builds a new index beside the current one, then replaces the current one. Searches and writes continue meanwhile.
 * @returns the number of families.
 * @throws Failure `unavailable` with the reason: no such address, no answer, or the name of another library.
 */
export async function rebuildSearchIndex(db: Db, address: string, log: Logger): Promise<number> {
  const { client, prefix, url } = clientAt(address);
  const builder = new IndexBuilder(client, prefix, log);
  try {
    await checkVersion(client, url);
    await builder.findLive(db);
    await prepareFeed(db);
    await builder.build(db, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof SearchAway)) throw error;
    throw new Failure(
      "unavailable",
      `The search engine at ${url} cannot be used (${error.reason}). Run it again later.`,
    );
  }
  return countFamilies(db);
}

function clientAt(address: string): { client: OpenSearchClient; prefix: string; url: string } {
  const place = readPlace(address);
  if (!place) throw new Failure("unavailable", "The address of the search engine cannot be read. Nothing was changed.");
  return { client: new OpenSearchClient(place), prefix: place.prefix, url: place.url };
}

interface EngineRoot {
  version: { number: string; distribution?: string };
}

/** @throws SearchAway; Failure `unavailable` for an engine that is too old, or refuses the user or password. */
async function checkVersion(client: OpenSearchClient, url: string): Promise<void> {
  const { version } = await client.call<EngineRoot>("GET", "/").catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    throw new Failure("unavailable", `The search engine at ${url} refuses this server. ${error.message}.`);
  });
  if (version.distribution === "opensearch" && Number.parseInt(version.number, 10) >= oldestMajor) return;
  throw new Failure(
    "unavailable",
    `The search engine is ${version.distribution ?? "Elasticsearch"} ${version.number}; OpenSearch ${oldestMajor} or later is needed. Nothing was changed.`,
  );
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
