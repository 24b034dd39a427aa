import { Failure } from "../../shared/kernel/failure.ts";
import type { BoundNode } from "../../shared/search/language/query-binding.ts";
import type { RecordCounts } from "../../shared/search/record-aggregations.ts";
import type { FoundDocuments } from "../../shared/search/search-index.ts";
import type { SearchRequest } from "../../shared/search/search-parameters.ts";
import type { EngineIndex } from "./engine-index.ts";
import { type CountAnswer, countRequest, countsOf } from "./facet-counts.ts";
import { facetFilter } from "./facet-filters.ts";
import { engineError, type OpenSearchClient, SearchAway } from "./opensearch-client.ts";
import { allOf, type EngineQuery } from "./query-language.ts";
import { type Translation, translate } from "./query-translation.ts";
import { scoreQueries } from "./score-query.ts";

export interface EngineQuestion {
  node: BoundNode;
  request: SearchRequest;
  /** What the caller may see. */
  universe: EngineQuery;
  translation: Omit<Translation, "paths">;
  isUncounted: boolean;
}

export interface EngineFound {
  page: FoundDocuments["page"];
  total: number;
  counts: RecordCounts | undefined;
}

type Sort = Record<string, "asc" | "desc">;

const firstKeys: Readonly<Record<string, Sort>> = {
  bestmatch: { _score: "desc" },
  newest: { created: "desc" },
  oldest: { created: "asc" },
  "updated-desc": { updated: "desc" },
  "updated-asc": { updated: "asc" },
  version: { version_index: "desc" },
  mostviewed: { views: "desc" },
  mostdownloaded: { downloads: "desc" },
};

/** Equal ones by `created`, the newest first, then by id. */
function sortsOf(sort: string): Sort[] {
  const first = firstKeys[sort] ?? { created: "desc" };
  return [first, ...("created" in first ? [] : [{ created: "desc" } as const]), { id: "asc" }];
}

interface Part {
  status: number;
  timed_out: boolean;
  _shards: { failed: number };
  hits: { total: { value: number }; hits: { fields: { kind: [string]; id: [string] } }[] };
  aggregations?: CountAnswer & { paths: { buckets: { key: string }[] } };
  error?: unknown;
}

/** Searches one index. */
export class EngineSearch {
  readonly #client: OpenSearchClient;

  constructor(client: OpenSearchClient) {
    this.#client = client;
  }

  /** @throws SearchAway; Failure 400 for a query that the engine finds too complex; EngineError 404: no such index. */
  async find(index: EngineIndex, question: EngineQuestion): Promise<EngineFound> {
    const { node, request, universe, isUncounted } = question;
    const paths = needsPaths(node) ? await this.#listPaths(index) : [];
    const translation = { ...question.translation, paths };
    const set = allOf([universe, translate(node, translation)]);
    const scores = request.sort === "bestmatch" ? scoreQueries(node, translation) : [];
    const hits = {
      query: { bool: { filter: [set], should: scores } },
      post_filter: facetFilter(request.filters, translation.readableFiles),
      sort: sortsOf(request.sort),
      ...{ from: request.offset, size: request.limit, track_total_hits: true, _source: false },
      docvalue_fields: ["kind", "id"],
    };
    const counted = {
      query: { bool: { filter: [set] } },
      ...{ size: 0, track_total_hits: true },
      aggs: countRequest(translation.readableFiles),
    };
    const [found, counts] = await this.#ask(index, isUncounted ? [hits] : [hits, counted]);
    return {
      page: (found?.hits.hits ?? []).map(({ fields }) => ({
        isDraft: fields.kind[0] === "draft",
        id: fields.id[0],
      })),
      total: found?.hits.total.value ?? 0,
      counts: counts?.aggregations && countsOf(counts.aggregations, counts.hits.total.value),
    };
  }

  /** The paths that any document has a value in. The engine keeps the answer until something changes. */
  async #listPaths(index: EngineIndex): Promise<string[]> {
    const aggs = { paths: { terms: { field: "p", size: 10_000 } } };
    const [answer] = await this.#ask(index, [{ size: 0, aggs }]);
    return answer?.aggregations?.paths.buckets.map(({ key }) => key) ?? [];
  }

  async #ask(index: EngineIndex, bodies: readonly object[]): Promise<Part[]> {
    const lines = bodies.flatMap((body) => ["{}", JSON.stringify(body)]);
    const { responses } = await this.#client.call<{ responses: Part[] }>("POST", `/${index.name}/_msearch`, lines);
    for (const part of responses) {
      if (part.error !== undefined) throw refusalOf(part);
      if (part.timed_out || part._shards.failed > 0) throw new SearchAway(new Error("some shards did not answer"));
    }
    return responses;
  }
}

function refusalOf({ status, error }: Part): Error {
  const refusal = engineError(status, { error });
  if (status === 404) return refusal;
  if (status === 429 || status >= 500) return new SearchAway(refusal);
  return Object.assign(new Failure("invalid", "The query has too many parts. Please shorten it."), { cause: refusal });
}

/** Whether a leaf looks in fields that a pattern names. */
function needsPaths(node: BoundNode): boolean {
  if (node.type === "group") return node.clauses.some((clause) => needsPaths(clause.node));
  return node.type === "leaf" && node.target.type === "pattern";
}
