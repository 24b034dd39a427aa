import type { Request, Response, Router } from "express";
import { partsOf } from "../../shared/files/file-path.ts";
import { isOn } from "../../shared/kernel/booleans.ts";
import { type Failure, forbidden, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { namesPages } from "../../shared/kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { sentQuery } from "../../shared/kernel/sent-query.ts";
import { assertNotShed } from "../load-shedding.ts";
import { crumbOf } from "../pages/file-parts.ts";
import { answerPage } from "../pages/page-answer.ts";
import { pageNumber } from "../pages/page-number.ts";
import { answerWithRefusals, type PageParts, recordPages, type ShownFound } from "../pages/record-pages.ts";
import { words } from "../pages/words.ts";
import { archivePart } from "./archive-part.ts";
import { fileListPage } from "./file-list-page.ts";
import { filePage } from "./file-page.ts";
import { previewOf } from "./preview.ts";
import { renderedAddress } from "./rendered-content.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isArchive = (key: string): boolean => /\.zip$/i.test(key);

/** The page of the record says how to get the files. Whether one exists is a secret, too. */
function refusedFiles(res: Response, { record }: ShownFound["shown"]): Failure {
  res.locals.readableRecord = record.links?.self_html;
  return forbidden();
}

/** The files of a record by folder. */
async function sendList(host: Host, req: Request, res: Response, { shown }: ShownFound, path: string): Promise<void> {
  if (shown.files === undefined) throw refusedFiles(res, shown);
  const { record } = shown;
  const list = {
    record: crumbOf(record),
    base: `${record.links?.self_html ?? ""}/files`,
    files: shown.files,
  };
  const page = fileListPage(words, list, { path, text: textOf(req.query.q), page: pageNumber(req) });
  if (!page) throw notFound();
  await answerPage(host, req, res, 200, page);
}

/** The page of a file, or the way to its bytes. */
async function sendFile(
  { host, services }: PageParts,
  req: Request,
  res: Response,
  { shown: found }: ShownFound,
  key: string,
): Promise<void> {
  const { record, files, isPublic } = found;
  if (!files) throw refusedFiles(res, found);
  const { entry } = await services.lookup.recordFile(host.db, callerOf(req), record.id, key);
  const shownFile = files.find((file) => file.key === key);
  if (entry.status !== "completed" || !shownFile?.page) throw notFound();
  const { address, page } = shownFile;
  res.vary("Accept");
  if (isOn(req.query.download) || !namesPages(req.headers.accept)) {
    const mark = address.includes("?") ? "&" : "?";
    return res.redirect(302, isOn(req.query.download) ? `${address}${mark}download=1` : address);
  }
  const query = {
    path: textOf(req.query.path).replace(/\/+$/, ""),
    text: textOf(req.query.q),
    page: pageNumber(req),
  };
  if (isArchive(key)) assertNotShed(res, callerOf(req), "archives");
  const content = isArchive(key)
    ? await archivePart(
        services.containers,
        words,
        { entry, page, container: address.replace(/\/content(\?.*)?$/, "/container") },
        query,
      )
    : await previewOf(host, words, {
        entry,
        address,
        pages: new Map(files.flatMap((file) => (file.page ? [[file.key, file.page]] : []))),
      });
  if (!content) throw notFound();
  const isOpen = isPublic && record.access?.files === "public";
  const rendered = isOpen ? renderedAddress(host, record.id, entry) : undefined;
  const isIndexed = isPublic && query.path === "" && query.text === "" && query.page === 1;
  const shown = { record, entry, address, content, rendered, isIndexed, isArchive: isArchive(key) };
  await answerPage(host, req, res, 200, filePage(words, { ...shown, files: `${record.links?.self_html ?? ""}/files` }));
}

/** Pages of the files of published records, and of the inside of archives (web 3, 4). */
export function fileRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host } = parts;
  const pages = recordPages(parts);

  const offer = (path: string, answer: (req: Request, res: Response, id: string) => Promise<void>) =>
    resource(router, path, {
      GET: {
        produces: [],
        handle: (req, res) => answerWithRefusals(host, req, res, () => answer(req, res, pathPart(req, "id"))),
      },
    });

  offer("/records/:id/files", async (req, res, id) => {
    const path = textOf(req.query.path).replace(/^\/+|\/+$/g, "");
    await sendList(host, req, res, await pages.published(req, id), path);
  });
  offer("/records/:id/files/*key", async (req, res, id) => {
    const names = partsOf(req.params.key);
    const found = await pages.published(req, id);
    const isFolder = names.length > 1 && names.at(-1) === "";
    if (isFolder) return sendList(host, req, res, found, names.slice(0, -1).join("/"));
    await sendFile(parts, req, res, found, names.join("/"));
  });
  offer("/records/:id/preview/*key", async (req, res, id) => {
    const names = partsOf(req.params.key).map(encodeURIComponent).join("/");
    res.redirect(301, `${pages.addressOf(id)}/files/${names}${sentQuery(req)}`);
  });
  return router;
}
