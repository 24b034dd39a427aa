import type { Request, Response, Router } from "express";
import { answerText } from "../../shared/kernel/answer.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { HarvestService } from "./harvest.service.ts";
import { oaiService } from "./oai.service.ts";

const queryOf = (req: Request): URLSearchParams => new URLSearchParams(req.originalUrl.split("?")[1] ?? "");

/** `/oai2d`: OAI-PMH 2.0 by GET and by POST with a form (web 8). Answers are the same for every caller. */
export function oaiRoutes(parts: { host: Host; harvest: HarvestService; secret: Uint8Array }): Router {
  const router = routesAbout("host");
  const { settings } = parts.host;
  const oai = oaiService(parts);

  async function send(req: Request, res: Response, sent: URLSearchParams): Promise<void> {
    if (settings.site.contact === undefined)
      throw new Failure("not_found", "OAI-PMH is off: the setting 'site.contact' is missing.");
    res.setHeader("Cache-Control", "no-cache");
    await answerText(req, res, 200, "text/xml; charset=utf-8", await oai.answer(sent));
  }

  resource(router, "/oai2d", {
    GET: { produces: [], handle: (req, res) => send(req, res, queryOf(req)) },
    POST: {
      consumes: "form",
      produces: [],
      scope: "read",
      handle: (req, res) => {
        const form = req.body instanceof URLSearchParams ? req.body : new URLSearchParams();
        return send(req, res, new URLSearchParams([...queryOf(req), ...form]));
      },
    },
  });
  return router;
}
