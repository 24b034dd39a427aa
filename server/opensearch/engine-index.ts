import type { Logger } from "pino";
import { type IndexedFamily, type NamedDocument, withoutWords } from "./index-document.ts";
import { writtenName } from "./index-mapping.ts";
import { type EngineError, engineError, type OpenSearchClient, SearchAway } from "./opensearch-client.ts";

/** A position in the feed and in the usage counts. Both only grow, and so does their sum. */
export interface RowPosition {
  seq: number;
  counted: number;
}

/** The version of documents written at a position. It grows with the rows; the engine refuses a smaller one. */
export const versionOf = ({ seq, counted }: RowPosition): number => seq + counted + 1;

/** How far an index follows the rows. */
export interface IndexPosition extends RowPosition {
  /** The last family in the index; absent once the index is full. */
  place?: string;
}

const positionName = "position";
/** A larger request is sent in parts. */
const maxBytes = 8_000_000;

interface BulkAnswer {
  errors: boolean;
  items: Record<string, { _id: string; status: number; error?: { type: string; reason: string } }>[];
}

/** One index of the engine. */
export class EngineIndex {
  readonly name: string;
  readonly #client: OpenSearchClient;
  readonly #log: Pick<Logger, "error">;

  constructor(client: OpenSearchClient, name: string, log: Pick<Logger, "error">) {
    this.#client = client;
    this.name = name;
    this.#log = log;
  }

  /** Undefined if there is no such index, or nothing is in it. */
  async readPosition(): Promise<IndexPosition | undefined> {
    const found = await this.#client.find<{ _source?: IndexPosition }>(`/${this.name}/_doc/${positionName}`);
    return found?._source;
  }

  /** Stores the position. Ignores one that is older than the stored one. */
  async storePosition(position: IndexPosition): Promise<void> {
    await this.#bulk([this.#put(positionName, position, versionOf(position))], false);
  }

  /** Makes all written documents searchable. */
  async refresh(): Promise<void> {
    await this.#client.call("POST", `/${this.name}/_refresh`);
  }

  /** Writes families that were read at one position. Waits until searches find them, unless a refresh follows. */
  async write(families: readonly IndexedFamily[], version: number, { isRefreshed = true } = {}): Promise<void> {
    const lines = families.flatMap(({ documents, free }) => [
      ...documents.map((one) => this.#put(one.name, one.document, version)),
      ...free.map((name) => JSON.stringify({ delete: { _id: name, version, version_type: "external_gte" } })),
    ]);
    const refused = await this.#inParts(lines, isRefreshed);
    const byName = new Map(families.flatMap(({ documents }) => documents.map((one) => [one.name, one] as const)));
    for (const [name, error] of refused) await this.#writeReduced(byName.get(name), error, version);
  }

  #put(name: string, document: object, version: number): string {
    const action = { index: { _id: name, version, version_type: "external_gte" } };
    return `${JSON.stringify(action)}\n${JSON.stringify(document)}`;
  }

  async #inParts(lines: readonly string[], isRefreshed: boolean): Promise<Map<string, EngineError>> {
    const refused = new Map<string, EngineError>();
    for (let from = 0; from < lines.length; ) {
      let [until, bytes] = [from, 0];
      for (; until < lines.length && (until === from || bytes < maxBytes); until += 1)
        bytes += lines[until]?.length ?? 0;
      const errors = await this.#bulk(lines.slice(from, until), isRefreshed && until === lines.length);
      for (const [name, error] of errors) refused.set(name, error);
      from = until;
    }
    return refused;
  }

  /** @returns the documents whose content the engine refuses. @throws EngineError 404 if there is no such index. */
  async #bulk(lines: readonly string[], isRefreshed: boolean): Promise<Map<string, EngineError>> {
    const path = `/${writtenName(this.name)}/_bulk?require_alias=true&refresh=${isRefreshed}`;
    const answer = await this.#client.call<BulkAnswer>("POST", path, lines);
    const refused = new Map<string, EngineError>();
    for (const [item] of answer.items.map((one) => Object.values(one))) {
      // A newer state is there already, or the name was free.
      if (!item || item.status < 300 || item.status === 409 || (item.status === 404 && !item.error)) continue;
      const error = engineError(item.status, item);
      if (item.status === 404) throw error;
      if (item.status !== 400) throw new SearchAway(error);
      refused.set(item._id, error);
    }
    return refused;
  }

  /** Writes a refused document without its words, because it must not delay all others. */
  async #writeReduced(one: NamedDocument | undefined, error: EngineError, version: number): Promise<void> {
    if (!one) throw error;
    this.#log.error({ err: error, id: one.document.id }, "a document could not be indexed with its words");
    const again = await this.#bulk([this.#put(one.name, withoutWords(one.document), version)], true);
    for (const refusal of again.values()) throw refusal;
  }
}
