import type { Request, Response, Router } from "express";
import { Failure } from "../../shared/kernel/failure.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { sendCrate } from "../../shared/records/send-crate.ts";
import { answerRecord } from "../../shared/representations/answer-record.ts";
import { crateZipType, linkedTypes } from "../../shared/representations/representations.ts";
import { countView } from "../../shared/usage/count-visit.ts";
import { exportFormats } from "./export-formats.ts";
import { answerPage } from "./page-answer.ts";
import type { Page } from "./page-frame.ts";
import { deletedPage, refusedPage, requestPage, type ShownTombstone, unknownPage } from "./plain-pages.ts";
import { signpostsOf } from "./record-head.ts";
import { filesPage, recordPage, type ShownRecord } from "./record-page.ts";
import { type PageParts, type Redirect, recordPages, type Seen } from "./record-pages.ts";

const htmlType = "text/html";

/** The page for a refusal that tells about the object: deleted, not for this caller, or unknown. */
function pageOf(error: unknown, appLink: string): { status: number; page: Page } {
  if (!(error instanceof Failure)) throw error;
  if (error.kind === "gone") return { status: 410, page: deletedPage((error.extra.tombstone ?? {}) as ShownTombstone) };
  if (error.kind === "forbidden") return { status: 403, page: refusedPage(appLink) };
  if (error.kind === "not_found") return { status: 404, page: unknownPage };
  throw error;
}

/** Pages are not negotiated where there is nothing else to have. */
const wantsPage = ({ locals }: Response): boolean => locals.produces === undefined || locals.produces === htmlType;

const isRedirect = (found: Seen | Redirect): found is Redirect => "to" in found;

const fileNameOf = (id: string, extension: string): string => `attachment; filename="${id}.${extension}"`;

/** Sends a record in the type that was negotiated, or that the address names. */
async function sendExport({ host, services }: PageParts, req: Request, res: Response, shown: ShownRecord) {
  if (res.locals.produces !== crateZipType) return answerRecord(req, res, 200, shown.body);
  if (shown.isDraft)
    throw new Failure("not_acceptable", "Invalid 'Accept' header. Only published records are packed with their files.");
  await sendCrate(req, res, { host, records: services.records, usage: services.usage }, shown.body);
}

/** Pages at the addresses of the API's `…_html` links (hosts-and-sync 8, Pages; design, web 3). */
export function pageRoutes(parts: PageParts): Router {
  const { host, services } = parts;
  const router = routesAbout("host");
  const pages = recordPages(parts);

  /** Sends what is found as a page, or in the type that was negotiated. */
  async function sendFound(req: Request, res: Response, found: Seen | Redirect): Promise<void> {
    if (isRedirect(found)) {
      res.setHeader("Referrer-Policy", "no-referrer");
      return res.redirect(found.status, found.to);
    }
    const { shown } = found;
    if (!shown.isDraft) {
      if (shown.isPublic) res.setHeader("Link", signpostsOf(shown.record, `${host.baseUrl}/.well-known/api-catalog`));
      countView(services.usage, req, res, shown.record.id);
    }
    if (!wantsPage(res)) {
      res.setHeader("Content-Location", shown.record.links?.self ?? "");
      return sendExport(parts, req, res, shown);
    }
    await answerPage(host, req, res, 200, recordPage(shown));
  }

  /** Sends `make`'s answer. A refusal becomes a page, for those who asked for a page. */
  async function send(req: Request, res: Response, appLink: string, make: () => Promise<void>): Promise<void> {
    try {
      await make();
    } catch (error) {
      if (res.headersSent || !wantsPage(res)) throw error;
      const { status, page } = pageOf(error, appLink);
      await answerPage(host, req, res, status, page);
    }
  }

  const offer = (
    path: string,
    scheme: "record" | "draft" | "request",
    answer: (req: Request, res: Response, id: string) => Promise<void>,
    produces: readonly string[] = [],
  ) =>
    resource(router, path, {
      GET: {
        produces,
        handle: (req, res) => {
          const id = pathPart(req, "id");
          return send(req, res, `carrel://${scheme}/${encodeURIComponent(id)}`, () => answer(req, res, id));
        },
      },
    });

  const types = [htmlType, ...linkedTypes];
  offer(
    "/records/:id",
    "record",
    async (req, res, id) =>
      sendFound(req, res, await (req.query.preview === "1" ? pages.draft(req, id) : pages.any(req, id))),
    types,
  );
  offer("/records/:id/latest", "record", async (req, res, id) => sendFound(req, res, await pages.latest(req, id)));
  offer("/record/:id", "record", async (_req, res, id) => res.redirect(301, pages.addressOf(id)));
  offer("/uploads/:id", "draft", async (req, res, id) => sendFound(req, res, await pages.draft(req, id)));
  offer("/records/:id/files", "record", async (req, res, id) => {
    const found = await pages.published(req, id);
    if (found.shown.files === undefined) throw new Failure("forbidden", "Permission denied.");
    await answerPage(host, req, res, 200, filesPage(found.shown, found.shown.files));
  });
  offer("/records/:id/export/:format", "record", async (req, res, id) => {
    const format = exportFormats[pathPart(req, "format")];
    if (!format) throw new Failure("not_found", "Unknown export format.");
    const { shown } = await pages.published(req, id);
    res.locals.produces = format.mediaType;
    if (req.query.download === "1") res.setHeader("Content-Disposition", fileNameOf(shown.record.id, format.extension));
    await sendExport(parts, req, res, shown);
  });
  offer("/me/requests/:id", "request", async (req, res, id) => {
    const { request } = await services.requests.requireReadable(host.db, callerOf(req), id);
    await answerPage(host, req, res, 200, requestPage(request));
  });
  return router;
}
