import type { Request, Response, Router } from "express";
import type { RequestRow } from "../database/schema.ts";
import { answer } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, notFound } from "../kernel/failure.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { type RequestRouteParts, requestAnswer, wantsExpanded } from "./request.routes.ts";
import { ownRequestSearchRules, requestSearchRules, searchRequests } from "./request-search.ts";
import { isReviewer } from "./reviewer.policy.ts";

const isSent = (row: RequestRow): boolean => row.status !== "draft";
const isParty = (row: RequestRow, caller: Caller): boolean =>
  row.creator_id === caller.userId || isReviewer(row, caller);

/** Lists of requests, and a new one on a published record (requests 4.2, 6). */
export function requestListRoutes(parts: RequestRouteParts): Router {
  const { host, requests, recordRequests } = parts;
  const router = routesAbout("library");
  const show = requestAnswer(parts);

  async function list(
    req: Request,
    res: Response,
    path: string,
    readable: readonly RequestRow[],
    rules = requestSearchRules,
  ): Promise<void> {
    const caller = callerOf(req);
    const request = readSearch(req.query, rules);
    const typed = await requests.withTypes(host.db, readable);
    const found = await searchRequests(typed, request, { caller, now: host.now() });
    const hits: Record<string, unknown>[] = [];
    for (const row of found.hits) hits.push(await requests.present(host.db, caller, row, wantsExpanded(req)));
    const { total, aggregations } = found;
    const url = `${host.baseUrl}/api${path}`;
    const answered = { request, rules, url, hits, total, aggregations, showsPage: true };
    await answer(req, res, 200, searchAnswer(answered));
  }

  async function listMine(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    const isShared = readSearch(req.query, ownRequestSearchRules).booleans.get("shared_with_me") === true;
    const isWanted = (row: RequestRow): boolean => isSent(row) && isParty(row, caller) !== isShared;
    const readable = await requests.listReadable(host.db, caller);
    await list(req, res, "/user/requests", readable.filter(isWanted), ownRequestSearchRules);
  }

  async function listOfTopic(req: Request, res: Response): Promise<void> {
    const id = pathPart(req, "id");
    const caller = callerOf(req);
    await recordRequests.requireTopic(host.db, caller, id);
    // Anyone who may read a record may list its requests. Callers without an account get an empty list.
    const readable = caller.userId === null ? [] : await requests.listReadableOn(host.db, caller, id);
    await list(req, res, `/records/${id}/requests`, readable);
  }

  async function createOnRecord(req: Request, res: Response): Promise<void> {
    const input = { recordId: pathPart(req, "id"), id: host.newUuid(), body: req.body as unknown };
    const id = await recordRequests.create(callerOf(req), input);
    const request = await requests.find(host.db, id);
    if (!request) throw notFound();
    await show(req, res, 201, request);
  }

  resource(router, "/requests", {
    isSearch: true,
    GET: async (req, res) => list(req, res, "/requests", await requests.listReadable(host.db, callerOf(req))),
  });
  resource(router, "/user/requests", { isSearch: true, GET: listMine });
  resource(router, "/records/:id/requests", {
    about: "record",
    isSearch: true,
    server: ["POST"],
    GET: listOfTopic,
    POST: createOnRecord,
  });
  return router;
}
