import type { Request, Response, Router } from "express";
import { etagOf } from "../../shared/kernel/conditional-requests.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { type ApiRouter, callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { declaredCustomFields } from "../../shared/metadata/custom-field-sets.schema.ts";
import { sendCrate } from "../../shared/records/send-crate.ts";
import { answerRecord } from "../../shared/representations/answer-record.ts";
import { citationStyles } from "../../shared/representations/citation-styles.schema.ts";
import { exportFormatNamed } from "../../shared/representations/export-formats.ts";
import { linkedTypes } from "../../shared/representations/representations.ts";
import { crateZipType } from "../../shared/representations/ro-crate.ts";
import { signpostDescription } from "../../shared/representations/signposts.ts";
import { countView } from "../../shared/usage/count-visit.ts";
import { exportsPage, peoplePage, versionsPage } from "./list-pages.ts";
import { answerPage } from "./page-answer.ts";
import type { Page } from "./page-frame.ts";
import { pageNumber } from "./page-number.ts";
import { requestPage } from "./plain-pages.ts";
import { signpostsOf } from "./record-head.ts";
import { recordPage } from "./record-page.ts";
import { answerWithRefusals, type PageParts, type Redirect, recordPages, type ShownFound } from "./record-pages.ts";
import type { ShownRecord } from "./shown-record.ts";
import { words } from "./words.ts";

const htmlType = "text/html";

/** Pages are not negotiated where there is nothing else to have. */
const wantsPage = ({ locals }: Response): boolean => locals.produces === undefined || locals.produces === htmlType;

/** The chosen citation style, by its short name or its label; APA for an unknown one. */
const styleOf = ({ query: { style } }: Request): string =>
  citationStyles.find(({ id }) => id === String(style).toLowerCase())?.id ?? citationStyles[0].id;

const isRedirect = (found: ShownFound | Redirect): found is Redirect => "to" in found;

const fileNameOf = (id: string, extension: string): string => `attachment; filename="${id}.${extension}"`;

/** Sends a record in the type that was negotiated, or that the address names. */
async function sendExport({ host, services }: PageParts, req: Request, res: Response, shown: ShownRecord) {
  if (res.locals.produces !== crateZipType)
    return answerRecord(req, res, 200, shown.body, { etag: etagOf(Number(shown.body.revision_id)) });
  if (shown.isDraft)
    throw new Failure("not_acceptable", "Invalid 'Accept' header. Only published records are packed with their files.");
  const { self = "", self_html: page = "" } = shown.record.links ?? {};
  signpostDescription(res, { self, page });
  await sendCrate(req, res, { host, records: services.records, usage: services.usage }, shown.body);
}

/** Leads to the record with a DOI; clients that follow get the type that they asked for. */
function doiRoute({ host, services }: PageParts, router: ApiRouter, addressOf: (id: string) => string): void {
  resource(router, "/doi/*doi", {
    GET: {
      produces: [],
      handle: async (req, res) => {
        const id = await services.records.requireByDoi(host.db, callerOf(req), pathPart(req, "doi"));
        res.setHeader("Referrer-Policy", "no-referrer");
        res.redirect(302, addressOf(id));
      },
    },
  });
}

/** Pages at the addresses of the API's `…_html` links (hosts-and-sync 8, Pages; design, web 3). */
export function pageRoutes(parts: PageParts): Router {
  const { host, services } = parts;
  const router = routesAbout("host");
  const pages = recordPages(parts);

  /** Sends what is found as a page, or in the type that was negotiated. */
  async function sendFound(req: Request, res: Response, found: ShownFound | Redirect): Promise<void> {
    if (isRedirect(found)) {
      res.setHeader("Referrer-Policy", "no-referrer");
      return res.redirect(found.status, found.to);
    }
    const { shown } = found;
    if (!shown.isDraft) {
      if (shown.isPublic) res.setHeader("Link", signpostsOf(shown, `${host.baseUrl}/.well-known/api-catalog`));
      countView(services.usage, req, res, shown.record.id);
      res.locals.viewed = shown.record.id;
    }
    if (!wantsPage(res)) {
      res.setHeader("Content-Location", shown.record.links?.self ?? "");
      return sendExport(parts, req, res, shown);
    }
    await answerPage(host, req, res, 200, recordPage(shown, styleOf(req), declaredCustomFields(host.settings)));
  }

  /** Sends the answer of `make`. A refusal becomes a page for clients that accept HTML. */
  async function send(req: Request, res: Response, appLink: string, make: () => Promise<void>): Promise<void> {
    await (wantsPage(res) ? answerWithRefusals(host, req, res, make, appLink) : make());
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

  doiRoute(parts, router, pages.addressOf);
  const types = [htmlType, ...linkedTypes];
  offer(
    "/records/:id",
    "record",
    async (req, res, id) =>
      sendFound(req, res, await (req.query.preview === "1" ? pages.draft(req, id) : pages.any(req, id))),
    types,
  );
  offer("/records/:id/latest", "record", async (req, res, id) => sendFound(req, res, await pages.latest(req, id)));
  offer("/record/:id", "record", async (_req, res, id) => res.redirect(302, pages.addressOf(id)));
  offer("/uploads/:id", "draft", async (req, res, id) => sendFound(req, res, await pages.draft(req, id)));
  const offerList = (path: string, pageOf: (shown: ShownRecord, page: number) => Page) =>
    offer(path, "record", async (req, res, id) => {
      const { shown } = await pages.published(req, id);
      await answerPage(host, req, res, 200, pageOf(shown, pageNumber(req)));
    });
  offerList("/records/:id/versions", (shown, page) => versionsPage(words, shown, page));
  offerList("/records/:id/people", (shown, page) => peoplePage(words, shown, page));
  offerList("/records/:id/export", (shown) => exportsPage(words, shown));
  offer("/records/:id/export/:format", "record", async (req, res, id) => {
    const format = exportFormatNamed(pathPart(req, "format"));
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
