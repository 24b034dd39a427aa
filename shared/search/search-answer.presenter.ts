import type { Hits } from "../kernel/hits.ts";
import { envelope } from "../kernel/search-envelope.ts";
import type { SearchRequest, SearchRules } from "./search-parameters.ts";

export interface SearchAnswer {
  request: SearchRequest;
  rules: SearchRules;
  /** Absolute URL of the list, without a query. */
  url: string;
  hits: Hits<unknown>;
  total: number;
  aggregations?: Record<string, unknown>;
  /** Records, requests and timelines name their page. */
  showsPage?: boolean;
}

/** The search envelope (search 3); lists without paging have no `prev` and `next`. */
export function searchAnswer({ request, rules, ...answer }: SearchAnswer): Record<string, unknown> {
  const { page, size, sort, parameters } = request;
  const body = envelope({ ...answer, page, size, sort, parameters });
  if (!rules.isFixedPage) return body;
  const { self } = body.links as Record<string, string>;
  return { ...body, links: { self } };
}
