import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import { isLapsed } from "../access/embargo.lifecycle.ts";
import type { EmbargoService } from "../access/embargo.service.ts";
import { answer, answerPrepared } from "../kernel/answer.ts";
import { isOn } from "../kernel/booleans.ts";
import type { Caller } from "../kernel/caller.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { jsonType } from "../kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { envelope } from "../kernel/search-envelope.ts";
import { sentQuery } from "../kernel/sent-query.ts";
import { answerRecord } from "../representations/answer-record.ts";
import { linkedTypes } from "../representations/representations.ts";
import { crateZipType } from "../representations/ro-crate.ts";
import { signpostDescription } from "../representations/signposts.ts";
import { countView } from "../usage/count-visit.ts";
import type { UsageService } from "../usage/usage.service.ts";
import { answerCache } from "./answer-cache.ts";
import type { RecordExpander } from "./expand.ts";
import type { RecordService } from "./record.service.ts";
import type { RecordBodies } from "./record-facts.service.ts";
import { sendCrate } from "./send-crate.ts";

export interface RecordRouteServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  bodies: RecordBodies;
  embargoes: EmbargoService;
  usage: UsageService;
  expander: RecordExpander;
}

/** Reading published records (records 4.1). */
export function recordRoutes(services: RecordRouteServices): Router {
  const { host, access, records, bodies, embargoes, usage, expander } = services;
  const router = routesAbout("record");
  const cache = answerCache(host);

  resource(router, "/records/:id", {
    GET: { produces: linkedTypes, handle: answerOne },
  });

  const signpost = (res: Response, id: string): void =>
    signpostDescription(res, { self: `${host.baseUrl}/api/records/${id}`, page: `${host.baseUrl}/records/${id}` });

  async function answerOne(req: Request, res: Response): Promise<void> {
    const id = pathPart(req, "id");
    if (res.locals.produces === crateZipType) return packOne(req, res, id);
    // Only plain JSON reads are cached: they are by far the most frequent.
    const isPlain = res.locals.produces === jsonType && !req.url.includes("?");
    const kept = isPlain ? await cache.find(id, callerOf(req)) : undefined;
    if (kept) {
      signpost(res, id);
      await answerPrepared(req, res, kept);
    } else {
      const make = () => read(req, res, id);
      const made = isPlain ? await cache.keep(id, callerOf(req), make) : await make();
      if (made) await answerRecord(req, res, 200, made.body, { etag: made.etag });
    }
    countView(usage, req, res, id);
  }

  /** The record with its files as an RO-Crate (interoperability 24). */
  async function packOne(req: Request, res: Response, id: string): Promise<void> {
    const made = await read(req, res, id);
    if (!made) return;
    signpost(res, id);
    await sendCrate(req, res, { host, records, usage }, made.body);
  }

  /** The body of a record; undefined after a redirect. */
  async function read(req: Request, res: Response, id: string) {
    const found = await findOrRedirect(req, res, id, isOn(req.query.include_deleted));
    if (!found) return undefined;
    const body = await bodies.ofRecord(host.db, found.record, found.family);
    return { body: await expander.one(req, body), etag: etagOf(found.record.revision_id) };
  }

  /** Finds the record; redirects from a parent's id to the latest version (records 1.5). */
  async function findOrRedirect(req: Request, res: Response, id: string, includesDeleted: boolean) {
    try {
      const found = await records.require(host.db, callerOf(req), id, { includesDeleted });
      const isOver = host.abilities.appliesDeadlines && isLapsed(JSON.parse(found.record.access), host.now());
      if (!isOver) return found;
      await embargoes.lift(id);
      return await records.require(host.db, callerOf(req), id, { includesDeleted });
    } catch (error) {
      const latest =
        error instanceof Failure && error.kind === "not_found" && (await records.latestOfParent(host.db, id));
      if (!latest) throw error;
      // With its query, so that an access link in it opens the record as well.
      res.redirect(302, `${host.baseUrl}/api/records/${latest}${sentQuery(req)}`);
      return undefined;
    }
  }

  /** A published record that the caller may read, or a draft that they may preview. */
  async function requireAny(caller: Caller, id: string): Promise<void> {
    const { record, draft } = await records.findRows(host.db, id);
    if (draft && !record) await access.requireDraft(host.db, caller, draft, "preview");
    else await records.require(host.db, caller, id);
  }

  /** Communities are not offered: empty lists (records 9). */
  for (const name of ["communities", "communities-suggestions"]) {
    resource(router, `/records/:id/${name}`, {
      async GET(req, res) {
        const id = pathPart(req, "id");
        await requireAny(callerOf(req), id);
        const url = `${host.baseUrl}/api/records/${id}/${name}`;
        await answer(req, res, 200, envelope({ hits: [], total: 0, url, page: 1, size: 10, sort: "newest" }));
      },
    });
  }

  return router;
}

const pathOfRecord = /^\/api\/records\/([^/?]+)([/?].*)?$/;

/** The new URL for a call with an old id. */
async function placeAfterMove({ host, records }: MovedParts, req: Request): Promise<string | undefined> {
  const [, id, rest = ""] = pathOfRecord.exec(req.originalUrl) ?? [];
  const moved = id === undefined ? undefined : await records.movedTo(host.db, id);
  return moved === undefined ? undefined : `${host.baseUrl}/api/records/${moved}${rest}`;
}

type MovedParts = Pick<RecordRouteServices, "host" | "records">;

/** Redirects writes from an old id to the new one: 308 (hosts-and-sync 3). Runs before the routes. */
export function movedChanges(parts: MovedParts): RequestHandler {
  return (req, res, next) => {
    if (["GET", "HEAD", "OPTIONS"].includes(req.method)) return next();
    return placeAfterMove(parts, req).then((place) => (place === undefined ? next() : res.redirect(308, place)));
  };
}

/** Redirects reads from an old id to the new one: 301 (hosts-and-sync 3). Runs after the routes. */
export function movedRecords(parts: MovedParts): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const isUnknown = error instanceof Failure && (error.kind === "not_found" || error.kind === "unavailable");
    const place = isUnknown ? await placeAfterMove(parts, req) : undefined;
    if (place === undefined) next(error);
    else res.redirect(301, place);
  };
}
