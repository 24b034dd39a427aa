import type { Request, Response, Router } from "express";
import { answerText } from "../kernel/answer.ts";
import { jsonType } from "../kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { presentCanvas, presentManifest, presentManifest3, presentSequence } from "./iiif.presenter.ts";
import type { IiifService } from "./iiif.service.ts";
import { readSubject } from "./iiif-source.service.ts";

const linkedDataType = "application/ld+json";
const version2 = `${linkedDataType};profile="http://iiif.io/api/presentation/2/context.json"`;
const version3 = `${linkedDataType};profile="http://iiif.io/api/presentation/3/context.json"`;

/** IIIF Presentation 2 (records 12), and manifests of version 3 for clients that name its profile. Every origin may read, for viewers on other sites. */
export function iiifRoutes({ iiif }: { iiif: IiifService }): Router {
  const router = routesAbout("library");

  const offer = (path: string, make: (req: Request, res: Response) => Promise<unknown>, others: string[] = []) =>
    resource(router, path, {
      about: (req) => readSubject(pathPart(req, "subject")) ?? { about: "library", id: "" },
      GET: {
        isForAllOrigins: true,
        produces: [version2, jsonType, ...others],
        async handle(req: Request, res: Response) {
          const body = await make(req, res);
          const type = res.locals.produces === version3 ? version3 : linkedDataType;
          res.vary("Accept");
          res.setHeader("Access-Control-Allow-Origin", "*");
          await answerText(req, res, 200, type, JSON.stringify(body));
        },
      },
    });

  const manifest = async (req: Request, res: Response) => {
    const { about, images } = await iiif.read(callerOf(req), pathPart(req, "subject"));
    return (res.locals.produces === version3 ? presentManifest3 : presentManifest)(about, images);
  };
  offer("/iiif/:subject/manifest", manifest, [version3]);
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
