import type { Services } from "../../shared/api.ts";
import type { Call } from "../../shared/kernel/call.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type PresentedRecord, presented } from "../../shared/representations/presented-record.ts";
import { recordSearchRules } from "../../shared/search/record-search.service.ts";
import type { FoundDocuments } from "../../shared/search/search-index.ts";
import { type QueryParameters, readSearch, type SearchRequest } from "../../shared/search/search-parameters.ts";

export interface RecordList extends Omit<FoundDocuments, "page"> {
  request: SearchRequest;
  records: PresentedRecord[];
}

export interface ListOptions {
  caller: Call;
  size: number;
  defaultSort?: string;
  languages?: string;
  /** Leaves the facets out. */
  isUncounted?: boolean;
}

/** What a form leaves empty is absent, and a value that the address repeats counts once. */
const withoutNoise = (query: QueryParameters): QueryParameters =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const values = new Set([value].flat().filter((one) => one !== ""));
      return values.size === 0 ? [] : [[name, [...values]]];
    }),
  );

/** Searches published records for a page or feed, with the search of the API. `size` in the query has no effect. */
export async function listRecords(
  { host, services }: { host: Host; services: Services },
  { size: _size, ...query }: QueryParameters,
  { caller, size, defaultSort, languages, isUncounted }: ListOptions,
): Promise<RecordList> {
  const rules = {
    ...recordSearchRules,
    defaultSize: size,
    ...(defaultSort ? { defaultSortWithQuery: defaultSort } : {}),
  };
  const request = readSearch(withoutNoise(query), rules);
  const { db } = host;
  const found = await services.recordSearch.search(db, {
    caller,
    request,
    scope: "published",
    ...(languages === undefined ? {} : { languages }),
    ...(isUncounted ? { isUncounted } : {}),
  });
  const records: PresentedRecord[] = [];
  for await (const rows of services.recordSearch.rows(db, found.page))
    for await (const body of services.bodies.ofHits(db, caller, rows)) records.push(presented(body));
  return { request, records, total: found.total, aggregations: found.aggregations };
}
