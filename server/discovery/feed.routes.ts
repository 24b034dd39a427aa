import type { Request, Response, Router } from "express";
import { anonymous } from "../../shared/kernel/caller.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import { windowSize } from "../../shared/kernel/search-envelope.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { atomFeed } from "./atom-feed.ts";
import { openSearchDescription } from "./open-search-description.ts";
import { answerPublic } from "./public-answer.ts";
import { listRecords } from "./record-list.ts";

const entriesPerPage = 50;

/** Feeds of public records, and how to search them (web 3). They are the same for everybody. */
export function feedRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host } = parts;
  const { name } = host.settings.site;

  async function feed(req: Request, res: Response): Promise<void> {
    const options = { caller: anonymous, size: entriesPerPage, defaultSort: "newest", isUncounted: true };
    const { request, records, total } = await listRecords(parts, req.query, options);
    const { page, sort, q } = request;
    const addressOf = (path: string, number: number): string => {
      const parameters = [...request.parameters];
      if (sort !== "newest") parameters.push(["sort", sort]);
      if (number > 1) parameters.push(["page", String(number)]);
      const query = new URLSearchParams(parameters).toString();
      return `${host.baseUrl}${path}${query === "" ? "" : `?${query}`}`;
    };
    const text = atomFeed({
      title: q === undefined ? name : `${q} · ${name}`,
      author: name,
      id: addressOf("/search.atom", 1),
      self: addressOf("/search.atom", page),
      page: addressOf("/search", 1),
      ...(page > 1 ? { previous: addressOf("/search.atom", page - 1) } : {}),
      ...(page * entriesPerPage < Math.min(total, windowSize) ? { next: addressOf("/search.atom", page + 1) } : {}),
      records,
    });
    await answerPublic(req, res, "application/atom+xml; charset=utf-8", text);
  }

  resource(router, "/search.atom", { GET: { isOpen: true, produces: [], handle: feed } });
  resource(router, "/opensearch.xml", {
    GET: {
      isOpen: true,
      produces: [],
      handle: (req, res) =>
        answerPublic(
          req,
          res,
          "application/opensearchdescription+xml; charset=utf-8",
          openSearchDescription(name, host.baseUrl),
        ),
    },
  });
  return router;
}
