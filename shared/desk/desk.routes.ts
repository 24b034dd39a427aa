import type { Request, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { Failure } from "../kernel/failure.ts";
import { parse } from "../kernel/parse.ts";
import { pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { isShelf, noteFor, noteKey, type Shelf } from "./desk.schema.ts";
import type { DeskService } from "./desk.service.ts";
import type { DeskOwner } from "./desk-owner.ts";

function shelfOf(req: Request): Shelf {
  const name = pathPart(req, "shelf");
  if (!isShelf(name)) throw new Failure("not_found", "There is no such shelf.");
  return name;
}

export interface DeskRouteParts {
  desk: DeskService;
  ownerOf: DeskOwner;
  /** Called with the shelf, so that the owner's other windows read it again. */
  onChanged(owner: string, shelf: string): void;
}

/** Notes of the app for its user (design, ux 1). */
export function deskRoutes({ desk, ownerOf, onChanged }: DeskRouteParts): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/desk/:shelf", {
    GET: async (req, res) => answer(req, res, 200, { notes: await desk.list(ownerOf(req), shelfOf(req)) }),
  });
  resource(router, "/api/sync/desk/:shelf/:key", {
    GET: async (req, res) => answer(req, res, 200, await desk.find(ownerOf(req), shelfOf(req), pathPart(req, "key"))),
    PUT: async (req, res) => {
      const [owner, shelf] = [ownerOf(req), shelfOf(req)];
      const note = { key: parse(noteKey, pathPart(req, "key")), ...parse(noteFor(shelf), req.body) };
      await answer(req, res, 200, await desk.keep(owner, shelf, note));
      onChanged(owner, shelf);
    },
    DELETE: withoutBody(async (req, res) => {
      const [owner, shelf] = [ownerOf(req), shelfOf(req)];
      await desk.remove(owner, shelf, pathPart(req, "key"));
      answerNothing(res);
      onChanged(owner, shelf);
    }),
  });
  return router;
}
