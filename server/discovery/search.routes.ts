import type { Request, Response, Router } from "express";
import { Failure } from "../../shared/kernel/failure.ts";
import { callerOf, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { isTooLong, queryLimit } from "../../shared/search/search-parameters.ts";
import { assertNotShed, isShed } from "../load-shedding.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import { words } from "../pages/words.ts";
import { nearSearches, nothingNear } from "./near-searches.ts";
import { listRecords } from "./record-list.ts";
import { searchAddresses } from "./search-address.ts";
import { farPage, maxPages, refusedSearchPage, resultsATime, searchPage } from "./search-page.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Why a search is refused: a mistyped value of a field, which `Query-Problem` names (search 5.5), or a part of the address
 * that no link of these pages has.
 */
function reasonOf({ kind, headers, message, problems }: Failure, query: string): string {
  if (isTooLong(query)) return words.search.tooLong(queryLimit);
  const [, path] = /^(.*);expected=/.exec(headers["Query-Problem"] ?? "") ?? [];
  if (path !== undefined) return words.search.mistyped(decodeURI(path));
  return problems.length > 0 || kind === "search_limit" ? words.search.wrongAddress : refusalInWords(message);
}

function firstPageOf(base: string, { originalUrl }: Request): string {
  const { searchParams } = new URL(originalUrl, "http://host");
  searchParams.delete("page");
  return searchParams.size === 0 ? `${base}/search` : `${base}/search?${searchParams}`;
}

/** Without a query, filters and a page number, of which there is one page only. */
const isWhole = ({ query }: Request): boolean => Object.keys(query).every((name) => name === "lang");

/** `/search`: the search of the API as a page (web 3, 4). */
export function searchRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host } = parts;

  async function search(req: Request, res: Response): Promise<void> {
    const query = textOf(req.query.q);
    const caller = callerOf(req);
    assertNotShed(res, caller, "search");
    if (Number(textOf(req.query.page)) > maxPages)
      return answerPage(host, req, res, 200, farPage(query, firstPageOf(host.baseUrl, req)));
    try {
      const list = await listRecords(parts, req.query, {
        caller,
        size: resultsATime,
        languages: words.language,
        isUncounted: isShed(res, caller, "facets"),
      });
      const addresses = searchAddresses(
        host.baseUrl,
        list.request,
        list.request.q === undefined ? "newest" : "bestmatch",
      );
      const { q } = list.request;
      const isNearSought = q !== undefined && list.total === 0 && !isShed(res, caller, "facets");
      const near = isNearSought ? await nearSearches(parts, q, { caller }) : nothingNear;
      await answerPage(host, req, res, 200, searchPage(list, addresses, isWhole(req), near));
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 400 || res.headersSent) throw error;
      await answerPage(host, req, res, 400, refusedSearchPage(query, reasonOf(error, query)));
    }
  }

  resource(router, "/search", { GET: { produces: [], handle: search } });
  return router;
}
