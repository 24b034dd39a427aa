import { randomBytes } from "node:crypto";
import type { Request, Response, Router } from "express";
import type { Services } from "../../shared/api.ts";
import { answerText } from "../../shared/kernel/answer.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { RecordBody } from "../../shared/records/record.presenter.ts";
import { creatorsOf, doiOf, type PresentedRecord } from "../../shared/representations/presented-record.ts";
import { countView } from "../../shared/usage/count-visit.ts";
import { type Page, plainPagePolicy, writePage } from "./page.presenter.ts";
import {
  deletedPage,
  recordPage,
  refusedPage,
  requestPage,
  type ShownFile,
  type ShownRecord,
  type ShownTombstone,
  unknownPage,
} from "./record-page.presenter.ts";

interface Parts {
  host: Host;
  services: Services;
}

/** A page, or a redirect to the right one. */
type Shown = Page | { to: string; status: 301 | 302 };

function shownOf(body: RecordBody, isDraft: boolean): ShownRecord {
  const record = body as unknown as PresentedRecord;
  const { metadata } = record;
  const { title } = metadata.resource_type ?? {};
  return {
    id: record.id,
    creators: creatorsOf(record).map(({ name }) => name),
    title: metadata.title ?? "",
    description: metadata.description,
    date: metadata.publication_date,
    type: title?.en,
    version: metadata.version,
    publisher: metadata.publisher,
    doi: doiOf(record),
    access: record.access?.status,
    isDraft,
  };
}

function fileAddress(req: Request, base: string, key: string): string {
  const { token } = req.query;
  const query = typeof token === "string" ? `?token=${encodeURIComponent(token)}` : "";
  return `${base}/${encodeURIComponent(key)}/content${query}`;
}

/** Pages of records and drafts, found with the services of the API. */
function recordPages({ host, services }: Parts) {
  const { records, bodies, access } = services;
  const { db } = host;

  async function filesOf(req: Request, kind: "draft" | "record", id: string): Promise<ShownFile[]> {
    const base = `${host.baseUrl}/api/records/${id}${kind === "draft" ? "/draft" : ""}/files`;
    const entries = await records.listEntries(db, { kind, id });
    return entries
      .filter(({ status, hidden }) => status === "completed" && hidden === 0)
      .map(({ key, size }) => ({ key, size: size ?? 0, address: fileAddress(req, base, key) }));
  }

  async function published(req: Request, id: string): Promise<Page> {
    const found = await records.require(db, callerOf(req), id);
    const body = await bodies.ofRecord(db, found.record, found.family);
    let files: ShownFile[] | undefined;
    try {
      records.assertMayReadFiles(found);
      files = await filesOf(req, "record", id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    // The page will be shown, because nothing can fail after this.
    if (req.res) countView(services.usage, req, req.res, found.record.id);
    return recordPage(shownOf(body, false), files);
  }

  async function draft(req: Request, id: string): Promise<Page> {
    const row = await records.findDraft(db, id);
    const family = await access.requireDraft(db, callerOf(req), row, "preview");
    return recordPage(shownOf(await bodies.ofDraft(db, row, family), true), await filesOf(req, "draft", row.id));
  }

  /** Looks for a record, then a draft, a family, and a former id. */
  async function any(req: Request, id: string): Promise<Shown> {
    const found = await records.findRows(db, id);
    if (found.record) return published(req, id);
    if (found.draft) return draft(req, id);
    const latest = await records.latestOfParent(db, id);
    const inFamily = latest ?? (await records.nextDraftOf(db, id));
    const to = inFamily ?? (await records.movedTo(db, id));
    if (to === undefined) throw notFound();
    const query = req.originalUrl.split("?")[1];
    const address = `${host.baseUrl}/records/${to}${query === undefined ? "" : `?${query}`}`;
    return { to: address, status: inFamily === undefined ? 301 : 302 };
  }

  return {
    any,
    draft: async (req: Request, id: string): Promise<Shown> =>
      (await records.findRows(db, id)).draft ? draft(req, id) : any(req, id),
    async latest(req: Request, id: string): Promise<Shown> {
      if (!(await records.findRows(db, id)).record) return any(req, id);
      const { record } = await records.requireLatest(db, callerOf(req), id);
      return published(req, record.id);
    },
  };
}

function pageOf(error: unknown, appLink: string): { status: number; page: Page } {
  if (!(error instanceof Failure)) throw error;
  if (error.kind === "gone") return { status: 410, page: deletedPage((error.extra.tombstone ?? {}) as ShownTombstone) };
  if (error.kind === "forbidden") return { status: 403, page: refusedPage(appLink) };
  if (error.kind === "not_found") return { status: 404, page: unknownPage };
  throw error;
}

async function send(req: Request, res: Response, appLink: string, find: () => Promise<Shown>): Promise<void> {
  let status = 200;
  let shown: Shown;
  try {
    shown = await find();
  } catch (error) {
    ({ status, page: shown } = pageOf(error, appLink));
  }
  res.setHeader("Referrer-Policy", "no-referrer");
  if ("to" in shown) return res.redirect(shown.status, shown.to);
  const nonce = randomBytes(16).toString("base64url");
  res.setHeader("Content-Security-Policy", plainPagePolicy(nonce));
  res.setHeader("Cache-Control", "private, no-cache");
  await answerText(req, res, status, "text/html; charset=utf-8", writePage(shown, nonce));
}

/** Plain pages at the addresses of the API's `…_html` links (hosts-and-sync 8, Pages). */
export function pageRoutes(parts: Parts): Router {
  const { host, services } = parts;
  const router = routesAbout("host");
  const pages = recordPages(parts);
  const offer = (path: string, scheme: string, find: (req: Request, id: string) => Promise<Shown>) =>
    resource(router, path, {
      GET: {
        produces: [],
        handle: (req, res) => {
          const id = pathPart(req, "id");
          return send(req, res, `carrel://${scheme}/${encodeURIComponent(id)}`, () => find(req, id));
        },
      },
    });
  offer("/records/:id", "record", (req, id) => (req.query.preview === "1" ? pages.draft(req, id) : pages.any(req, id)));
  offer("/records/:id/latest", "record", pages.latest);
  offer("/uploads/:id", "draft", pages.draft);
  offer("/me/requests/:id", "request", async (req, id) => {
    const { request } = await services.requests.requireReadable(host.db, callerOf(req), id);
    return requestPage(request);
  });
  return router;
}
