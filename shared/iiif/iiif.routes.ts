import type { Request, Response, Router } from "express";
import { answerText } from "../kernel/answer.ts";
import { jsonType } from "../kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { presentCanvas, presentManifest, presentSequence } from "./iiif.presenter.ts";
import { type IiifService, readSubject } from "./iiif.service.ts";

const linkedDataType = "application/ld+json";

/** IIIF Presentation 2 (records 12). Every origin may read, for viewers on other sites. */
export function iiifRoutes({ iiif }: { iiif: IiifService }): Router {
  const router = routesAbout("library");

  const offer = (path: string, make: (req: Request) => Promise<unknown>) =>
    resource(router, path, {
      about: (req) => readSubject(pathPart(req, "subject")) ?? { about: "library", id: "" },
      GET: {
        produces: [linkedDataType, jsonType],
        async handle(req: Request, res: Response) {
          const body = await make(req);
          res.setHeader("Access-Control-Allow-Origin", "*");
          await answerText(req, res, 200, linkedDataType, JSON.stringify(body));
        },
      },
    });

  offer("/iiif/:subject/manifest", async (req) => {
    const { about, images } = await iiif.read(callerOf(req), pathPart(req, "subject"));
    return presentManifest(about, images);
  });
  offer("/iiif/:subject/sequence/default", async (req) => {
    const { about, images } = await iiif.read(callerOf(req), pathPart(req, "subject"));
    return presentSequence(about, images);
  });
  offer("/iiif/:subject/canvas/*key", async (req) => {
    const { about, image } = await iiif.readImage(callerOf(req), pathPart(req, "subject"), pathPart(req, "key"));
    return presentCanvas(about, image);
  });
  return router;
}
