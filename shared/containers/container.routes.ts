import type { Request, Response, Router } from "express";
import type { FileEntryRow } from "../database/schema.ts";
import { baseName, contentDisposition, memberType, safetyHeaders } from "../files/content-headers.ts";
import { noSuchFile } from "../files/file.lifecycle.ts";
import type { FileLookup } from "../files/file-lookup.service.ts";
import { type FilePath, partsOf } from "../files/file-path.ts";
import { openToAllOrigins, sendStream } from "../files/send-content.ts";
import { answer } from "../kernel/answer.ts";
import { checkedWhileSent, type PartCheck } from "../kernel/caller-check.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { jsonType, jsonTypes, negotiate, qualityOf, vendorType } from "../kernel/negotiation.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, type Methods, pathPart, resourceBy, routesAbout } from "../kernel/resource.ts";
import { listingQuery, listingRequest } from "./container.schema.ts";
import type { ContainerService, Place } from "./container.service.ts";
import { rootDirectory } from "./container-index.ts";
import type { ContainerTree } from "./container-tree.ts";
import { presentListing } from "./present-listing.ts";

interface Needs {
  host: Host;
  lookup: FileLookup;
  containers: ContainerService;
}

/** The owner of an archive, and the address of its listing. */
interface Archive {
  id: string;
  path: FilePath;
  /** Absolute address of the root listing. */
  url: string;
  /** The file, if the caller may read it. @throws Failure 404, 410, 403. */
  entry(req: Request): Promise<FileEntryRow>;
}

/** Methods of a published archive: `…/files/{key}/container` and below (records 11). */
export function recordContainerMethods(needs: Needs): (id: string, path: FilePath) => Methods {
  const { host, lookup } = needs;
  return (id, path) =>
    containerMethods(needs, {
      id,
      path,
      url: `${host.baseUrl}/api/records/${id}/files/${encodeURIComponent(path.key)}/container`,
      entry: async (req) => (await lookup.recordFile(host.db, callerOf(req), id, path.key)).entry,
    });
}

/** The same for a completed file of a draft, for its reviewers: `/sync/drafts/{id}/files/{key}/container`. */
export function draftContainerRoutes(needs: Needs): Router {
  const { host, lookup } = needs;
  const router = routesAbout("draft");
  resourceBy(router, "/sync/drafts/:id/files/*path", { isFree: true }, async (req) => {
    const id = pathPart(req, "id");
    const path = await lookup.splitDraft(host.db, id, partsOf(req.params.path));
    if (path.route !== "container") throw notFound();
    return containerMethods(needs, {
      id,
      path,
      url: `${host.baseUrl}/api/sync/drafts/${id}/files/${encodeURIComponent(path.key)}/container`,
      async entry(request) {
        const { entry } = await lookup.draftFile(host.db, callerOf(request), id, path.key, "preview");
        if (entry.status === "pending") throw noSuchFile(id, path.key);
        return entry;
      },
    });
  });
  return router;
}

/** Whether `Accept` names JSON and prefers it at least as much as ZIP. */
function asksForListing(accept: string | undefined): boolean {
  const json = Math.max(...jsonTypes.map((type) => qualityOf(accept, type)));
  return json > 0 && json >= qualityOf(accept, "application/zip");
}

function containerMethods(needs: Needs, archive: Archive): Methods {
  const inner = archive.path.rest.join("/");
  if (inner === "") {
    return {
      GET: {
        isForAllOrigins: true,
        async handle(req, res) {
          const tree = await needs.containers.open(await archive.entry(req));
          openToAllOrigins(req, res);
          await answerListing(needs, archive, req, res, { tree, directory: rootDirectory });
        },
      },
    };
  }
  return {
    GET: {
      ...{ produces: [], isForAllOrigins: true },
      async handle(req, res) {
        const check = checkedWhileSent(req, () => archive.entry(req));
        const entry = await archive.entry(req);
        const tree = await needs.containers.open(entry);
        const place = needs.containers.find(tree, inner);
        if (!place) throw noSuchFile(archive.id, inner);
        openToAllOrigins(req, res);
        if (place.file !== undefined) return answerMember(needs, req, res, { entry, tree, file: place.file, check });
        if (!asksForListing(req.headers.accept)) return answerZip(needs, req, res, { entry, ...place, check });
        res.locals.produces = negotiate(req.headers.accept, [jsonType, vendorType]);
        await answerListing(needs, archive, req, res, place);
      },
    },
  };
}

async function answerListing(needs: Needs, archive: Archive, req: Request, res: Response, place: Place) {
  const request = listingRequest(parse(listingQuery, req.query));
  const directory = place.directory ?? rootDirectory;
  const listing = await needs.containers.list(place.tree, directory, request);
  const next = request && listing.truncated ? nextPage(needs.host, req, request.page + 1) : undefined;
  const body = presentListing(place.tree, listing, {
    url: archive.url,
    isFlat: request?.isFlat ?? false,
    ...(next === undefined ? {} : { next }),
  });
  await answer(req, res, 200, body);
}

function nextPage(host: Host, req: Request, page: number): string {
  const url = new URL(req.originalUrl, host.baseUrl);
  url.searchParams.set("page", String(page));
  return `${host.baseUrl}${url.pathname}${url.search}`;
}

function setHeaders(res: Response, type: string, name: string): void {
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Disposition", contentDisposition("attachment", name));
  for (const [header, value] of Object.entries(safetyHeaders(type))) res.setHeader(header, value);
}

async function answerMember(
  { containers }: Needs,
  req: Request,
  res: Response,
  { entry, tree, file, check }: { entry: FileEntryRow; tree: ContainerTree; file: number; check: PartCheck },
): Promise<void> {
  const member = tree.member(file);
  const stream = await containers.openMember(entry, tree, file);
  setHeaders(res, memberType(member.key), member.key);
  res.setHeader("Content-Length", String(member.sizeBytes));
  if (req.method !== "HEAD") return sendStream(res, stream, check);
  stream.destroy();
  res.end();
}

async function answerZip(
  { containers }: Needs,
  req: Request,
  res: Response,
  { entry, tree, directory = rootDirectory, check }: Place & { entry: FileEntryRow; check: PartCheck },
): Promise<void> {
  const stream = await containers.zipDirectory(entry, tree, directory);
  setHeaders(res, "application/zip", `${baseName(tree.directoryKeyOf(directory))}.zip`);
  if (req.method !== "HEAD") return sendStream(res, stream, check);
  stream.destroy();
  res.end();
}
