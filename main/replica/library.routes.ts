import type { Router } from "express";
import { answer } from "../../shared/kernel/answer.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import { libraryBody } from "../../shared/sync-protocol/library.schema.ts";
import { requireLibrary } from "./other-library.ts";

export interface LibraryRouteParts {
  /** Path of the open data folder. */
  location: string;
  /** Closes this library and opens another one at the same address; undefined if this program cannot do so. */
  openOther: ((path: string) => void) | undefined;
}

/** Routes to open another library of this computer in place of the current one (app M21). */
export function libraryRoutes({ location, openOther }: LibraryRouteParts): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/library", {
    POST: async (req, res) => {
      const { folder } = parse(libraryBody, req.body);
      const path = await requireLibrary(folder.trim(), location);
      if (!openOther) throw new Failure("unavailable", "This program cannot change its library while it runs.");
      // Closing the library closes the connection, so the answer is sent first.
      res.once("finish", () => openOther(path));
      await answer(req, res, 202, { location: path });
    },
  });
  return router;
}
