import type { Request, Response, Router } from "express";
import { answerNothing } from "../kernel/answer.ts";
import { assertContentType, lentBody } from "../kernel/body.ts";
import { callerOf, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { requireSignedIn } from "../sign-in/unauthenticated.ts";
import type { UserPictureService } from "./user-picture.service.ts";

/** `/api/me/picture` (app, Missing 11). */
export function ownPictureRoutes({ userPictures }: { userPictures: UserPictureService }): Router {
  const router = routesAbout("library");

  async function put(req: Request, res: Response): Promise<void> {
    requireSignedIn(callerOf(req));
    assertContentType(req, ["application/octet-stream"]);
    await userPictures.keep(callerOf(req), lentBody(req));
    answerNothing(res);
  }

  async function remove(req: Request, res: Response): Promise<void> {
    requireSignedIn(callerOf(req));
    await userPictures.remove(callerOf(req));
    answerNothing(res);
  }

  resource(router, "/me/picture", {
    server: ["PUT", "DELETE"],
    PUT: { handle: put, consumes: "stream" },
    DELETE: withoutBody(remove),
  });
  return router;
}
