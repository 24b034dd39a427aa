import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { demandedRevision, etagOf } from "../kernel/conditional-requests.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { presentCollection } from "./collection.presenter.ts";
import type { CollectionService } from "./collection.service.ts";

/** `/api/collections`: stored queries with a public page (design, web 15). A replica asks its server. */
export function collectionRoutes({ host, collections }: { host: Host; collections: CollectionService }): Router {
  const router = routesAbout("library");
  const { db, baseUrl } = host;

  async function list(req: Request, res: Response): Promise<void> {
    const hits = (await collections.list(db)).map((one) => presentCollection(one, callerOf(req), baseUrl));
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function show(req: Request, res: Response, status: number, slug: string): Promise<void> {
    const found = await collections.require(db, slug);
    const tag = found.row ? { etag: etagOf(found.row.revision_id) } : {};
    await answer(req, res, status, presentCollection(found, callerOf(req), baseUrl), tag);
  }

  const demanded = (req: Request): number | undefined => demandedRevision(req.headers);

  async function update(req: Request, res: Response): Promise<void> {
    const input = { slug: pathPart(req, "slug"), body: req.body as unknown };
    await show(req, res, 200, await collections.update(callerOf(req), input, demanded(req)));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await collections.remove(callerOf(req), { slug: pathPart(req, "slug") }, demanded(req));
    answerNothing(res);
  }

  resource(router, "/collections", {
    server: ["GET", "POST"],
    GET: list,
    POST: async (req, res) =>
      show(req, res, 201, await collections.create(callerOf(req), { body: req.body as unknown })),
  });
  resource(router, "/collections/:slug", {
    server: ["GET", "PUT", "DELETE"],
    GET: (req, res) => show(req, res, 200, pathPart(req, "slug")),
    PUT: update,
    DELETE: withoutBody(remove),
  });
  return router;
}
