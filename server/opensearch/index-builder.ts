import type { Logger } from "pino";
import { libraryOf } from "../../shared/database/library.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { currentEpoch } from "../sync/epoch.service.ts";
import { EngineIndex } from "./engine-index.ts";
import { countFamilies, listFamilies } from "./family-change.repository.ts";
import { followRows, indexFamilies, readNewest } from "./index-follower.ts";
import { type IndexOrigin, indexBody, indexVersion } from "./index-mapping.ts";
import type { OpenSearchClient } from "./opensearch-client.ts";

const familiesATime = 200;
const progressEvery = 1000;

type Log = Pick<Logger, "info" | "error">;

/** The indexes of a library: one is found under the alias, another may be under construction. */
export class IndexBuilder {
  readonly #client: OpenSearchClient;
  readonly #prefix: string;
  readonly #log: Log;

  constructor(client: OpenSearchClient, prefix: string, log: Log) {
    this.#client = client;
    this.#prefix = prefix;
    this.#log = log;
  }

  /** Programs of another version of the index have an alias of their own, so that both can run during an update. */
  get alias(): string {
    return `${this.#prefix}-v${indexVersion}`;
  }

  /**
   * The index that is searched; undefined if it must be built first.
   * @throws Failure `unavailable` if the name belongs to another library.
   */
  async findLive(db: Db): Promise<EngineIndex | undefined> {
    const origin = await originOf(db);
    for (const [name, found] of await this.#list(this.alias)) {
      if (found.library !== origin.library) throw otherLibrary(this.alias);
      if (found.epoch === origin.epoch && found.version === origin.version)
        return new EngineIndex(this.#client, name, this.#log);
    }
    return undefined;
  }

  /**
   * Builds an index of all families beside the one that is searched, follows the changes made meanwhile, and swaps both
   * in one call. Continues the build of a killed process.
   * @throws Failure `unavailable` if another library has begun to use the name.
   */
  async build(db: Db, stopping: AbortSignal): Promise<void> {
    const before = await this.#list(`${this.alias}-*`);
    const { library } = await originOf(db);
    if ([...before.values()].some((found) => found.library !== library)) throw otherLibrary(this.alias);
    const index = (await this.#unfinished(db, before)) ?? (await this.#create(db));
    if (!(await this.#fill(index, db, stopping))) return;
    const at = (await index.readPosition()) ?? { seq: 0, counted: 0 };
    await index.refresh();
    await followRows(index, db, at, await readNewest(db), (reached) => index.storePosition(reached));
    await this.#swap(index.name, [...before.keys()]);
  }

  async #create(db: Db): Promise<EngineIndex> {
    const name = `${this.alias}-${Date.now()}`;
    await this.#client.call("PUT", `/${name}`, indexBody(name, await originOf(db)));
    const index = new EngineIndex(this.#client, name, this.#log);
    // Later changes are followed once the index is full.
    await index.storePosition({ ...(await readNewest(db)), place: "" });
    return index;
  }

  /** Fills an index by families in order. Returns false when it was stopped. */
  async #fill(index: EngineIndex, db: Db, stopping: AbortSignal): Promise<boolean> {
    const of = await countFamilies(db);
    let done = 0;
    for (;;) {
      const position = await index.readPosition();
      if (position?.place === undefined) return true;
      if (stopping.aborted) return false;
      const ids = await listFamilies(db, position.place, familiesATime);
      await indexFamilies(index, db, ids, { isRefreshed: false });
      const { place, ...at } = position;
      const next = ids.at(-1);
      await index.storePosition(ids.length < familiesATime || next === undefined ? at : { ...at, place: next });
      done += ids.length;
      if (done % progressEvery === 0 && done > 0) this.#log.info({ families: done, of }, "search index is being built");
    }
  }

  /** An index of the current rows that another process began to build. */
  async #unfinished(db: Db, known: ReadonlyMap<string, IndexOrigin>): Promise<EngineIndex | undefined> {
    const origin = await originOf(db);
    for (const [name, { epoch, library, version }] of known) {
      if (epoch !== origin.epoch || library !== origin.library || version !== origin.version) continue;
      const index = new EngineIndex(this.#client, name, this.#log);
      if ((await index.readPosition())?.place !== undefined) return index;
    }
    return undefined;
  }

  /** Points the alias at an index. Deletes the indexes of earlier builds, except the one that was searched until now. */
  async #swap(name: string, before: readonly string[]): Promise<void> {
    const live = [...(await this.#list(this.alias)).keys()];
    const removed = live.filter((one) => one !== name).map((index) => ({ remove: { index, alias: this.alias } }));
    const actions = [...removed, { add: { index: name, alias: this.alias } }];
    await this.#client.call("POST", "/_aliases", { actions });
    // Other processes may search that one for another second. The next build deletes it.
    const old = before.filter((one) => one !== name && !live.includes(one));
    for (const one of old) await this.#client.call("DELETE", `/${one}?ignore_unavailable=true`);
  }

  /** Indexes by name, with the rows that they were made from. */
  async #list(pattern: string): Promise<Map<string, IndexOrigin>> {
    type Found = Record<string, { mappings: { _meta?: IndexOrigin } }>;
    const found = await this.#client.find<Found>(`/${pattern}/_mapping?allow_no_indices=true&ignore_unavailable=true`);
    const indexes = Object.entries(found ?? {});
    return new Map(indexes.flatMap(([name, { mappings }]) => (mappings._meta ? [[name, mappings._meta]] : [])));
  }
}

async function originOf(db: Db): Promise<IndexOrigin> {
  return {
    version: indexVersion,
    library: (await libraryOf(db)) ?? "",
    epoch: await currentEpoch(db),
  };
}

const otherLibrary = (alias: string): Failure =>
  new Failure(
    "unavailable",
    `The search index ${alias} belongs to another library. Give this one a name of its own: opensearch+http://host:port/NAME. Nothing was changed.`,
  );
