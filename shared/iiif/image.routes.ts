import type { Request, Response, Router } from "express";
import { safetyHeaders } from "../files/content-headers.ts";
import { answerIfKnown, answerText } from "../kernel/answer.ts";
import { isPublicReader } from "../kernel/caller.ts";
import { jsonType } from "../kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import type { RouteFacts } from "../kernel/route-facts.ts";
import { sentQuery } from "../kernel/sent-query.ts";
import { type ImageService, readImageName } from "./image.service.ts";
import { imageContext2, imageContext3, mediaTypes, presentInfo2, presentInfo3 } from "./image-info.presenter.ts";

const linkedDataType = "application/ld+json";
const version2 = `${linkedDataType};profile="${imageContext2}"`;
const version3 = `${linkedDataType};profile="${imageContext3}"`;

const levels = [2, 3].map((version) => `<http://iiif.io/api/image/${version}/level1.json>; rel="profile"`).join(", ");

/** Viewers on other sites may read what everybody may read. */
function forViewers(res: Response): void {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Link", levels);
}

/**
 * IIIF Image API 3 and 2, level 1 (interoperability 11): `{record|draft}:{id}:{key}`, the key percent-encoded, at the
 * addresses of InvenioRDM. `info.json` is of version 2 unless the client names the profile of version 3.
 */
export function imageRoutes({ images }: { images: ImageService }): Router {
  const router = routesAbout("library");
  const facts: Partial<RouteFacts> = {
    about(req) {
      const { about, id } = readImageName(pathPart(req, "image")) ?? { about: undefined, id: "" };
      if (about === undefined) return { about: "library", id };
      return { about: about === "draft" ? "draft" : "file", id };
    },
    picture: (req) => readImageName(pathPart(req, "image")),
  };

  resource(router, "/iiif/:image", {
    ...facts,
    GET: {
      isForAllOrigins: true,
      produces: [],
      async handle(req, res) {
        const { id } = await images.readInfo(callerOf(req), pathPart(req, "image"));
        forViewers(res);
        res.redirect(303, `${id}/info.json${sentQuery(req)}`);
      },
    },
  });

  resource(router, "/iiif/:image/info.json", {
    ...facts,
    GET: {
      isForAllOrigins: true,
      produces: [jsonType, version2, version3],
      async handle(req, res) {
        const info = await images.readInfo(callerOf(req), pathPart(req, "image"));
        const type = String(res.locals.produces ?? jsonType);
        const body = type === version3 ? presentInfo3(info) : presentInfo2(info);
        res.vary("Accept");
        forViewers(res);
        await answerText(req, res, 200, type, JSON.stringify(body));
      },
    },
  });

  resource(router, "/iiif/:image/:region/:size/:rotation/:file", {
    ...facts,
    isBytes: () => true,
    GET: { produces: [], isForAllOrigins: true, handle: (req, res) => sendImage(images, req, res) },
  });
  return router;
}

async function sendImage(images: ImageService, req: Request, res: Response): Promise<void> {
  const [region, size, rotation, file] = ["region", "size", "rotation", "file"].map((name) => pathPart(req, name)) as [
    string,
    string,
    string,
    string,
  ];
  const drawn = await images.draw(callerOf(req), pathPart(req, "image"), { region, size, rotation, file });
  forViewers(res);
  // A shared cache asks each time, so a picture that becomes restricted vanishes at once.
  if (isPublicReader(callerOf(req))) res.setHeader("Cache-Control", "public, no-cache");
  if (answerIfKnown(req, res, 200, drawn.etag)) return;
  const bytes = await drawn.bytes();
  const type = mediaTypes[drawn.format];
  for (const [name, value] of Object.entries({ "Content-Type": type, ...safetyHeaders(type) }))
    res.setHeader(name, value);
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
}
