import type { Request, Response, Router } from "express";
import {
  answerUploadState,
  assertUploadType,
  patchUpload,
  putUpload,
  type UploadCall,
} from "../blobs/upload-protocol.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import {
  callerOf,
  type Methods,
  pathPart,
  resource,
  resourceBy,
  routesAbout,
  withoutBody,
} from "../kernel/resource.ts";
import { sendArchive } from "./archive.ts";
import type { ContentService } from "./content.service.ts";
import { assertFilesEnabled, assertUnlocked, noSuchFile, tooManyFiles } from "./file.lifecycle.ts";
import { presentEntry } from "./file.presenter.ts";
import { fileMetadataInput } from "./file.schema.ts";
import { contentUploadKey, type FileService } from "./file.service.ts";
import { presentCollection } from "./file-collection.presenter.ts";
import { descriptionOf } from "./file-description.ts";
import { parseInit } from "./file-init.ts";
import type { DraftFiles, FileLookup } from "./file-lookup.service.ts";
import { type FilePath, isContent, partsOf } from "./file-path.ts";
import { removedFilesInput, renamedFilesInput } from "./file-rename.schema.ts";
import type { FileRenames } from "./file-rename.service.ts";
import { asSent, sendContent } from "./send-content.ts";

export interface DraftFileRoutesOptions {
  host: Host;
  lookup: FileLookup;
  files: FileService;
  content: ContentService;
  fileRenames: FileRenames;
}

/** The file endpoints of drafts (records 6.1). */
export function draftFileRoutes(options: DraftFileRoutesOptions): Router {
  const router = routesAbout("draft");
  resource(router, "/records/:id/draft/files", { ...collectionMethods(options) });
  resource(router, "/records/:id/draft/files-archive", {
    isBytes: () => true,
    GET: { produces: [], handle: archiveHandler(options) },
  });
  resource(router, "/records/:id/draft/actions/files-import", {
    POST: withoutBody(importHandler(options)),
  });
  resource(router, "/records/:id/draft/actions/files-rename", { POST: renameHandler(options) });
  resource(router, "/records/:id/draft/actions/files-remove", { POST: removeHandler(options) });
  resourceBy(router, "/records/:id/draft/files/*path", { isBytes: isContent }, async (req) => {
    const id = pathPart(req, "id");
    const path = await options.lookup.splitDraft(options.host.db, id, partsOf(req.params.path));
    if (path.route === "entry") return entryMethods(options, id, path);
    if (path.route === "content") return contentMethods(options, id, path);
    if (path.route === "commit") return commitMethods(options, id, path);
    throw notFound();
  });
  return router;
}

async function answerCollection(
  { host, lookup }: DraftFileRoutesOptions,
  req: Request,
  res: Response,
  found: { status: number; files: DraftFiles },
): Promise<void> {
  const { draft, owner } = found.files;
  const entries = await lookup.entries(host.db, owner);
  await answer(req, res, found.status, presentCollection(draft, entries, { id: draft.id, isDraft: true }));
}

async function answerEntry({ host, lookup }: DraftFileRoutesOptions, req: Request, res: Response, path: FilePath) {
  const id = pathPart(req, "id");
  const { entry } = await lookup.draftFile(host.db, callerOf(req), id, path.key, "preview");
  await answer(req, res, 200, presentEntry(entry, { id, isDraft: true }));
}

function collectionMethods(options: DraftFileRoutesOptions): Methods {
  const { host, lookup, files, content } = options;
  return {
    async GET(req, res) {
      const found = await lookup.draft(host.db, callerOf(req), pathPart(req, "id"), "preview");
      await answerCollection(options, req, res, { status: 200, files: found });
    },
    async POST(req, res) {
      const caller = callerOf(req);
      const found = await lookup.draft(host.db, caller, pathPart(req, "id"), "edit");
      assertUnlocked(found.draft);
      assertFilesEnabled(found.draft);
      const inits = parseInit(req.body);
      if (inits.length > host.settings.max_files) throw tooManyFiles(host.settings.max_files);
      const wanted = inits.map(({ key, metadata, access, size, checksum }) => ({
        id: host.newUuid(),
        key,
        metadata: metadata ?? null,
        hidden: access?.hidden ?? false,
        announced: !size && checksum == null ? null : { size: size || undefined, checksum: checksum ?? undefined },
      }));
      await files.init(caller, { draftId: found.draft.id, bucketId: host.newUuid(), files: wanted });
      await answerCollection(options, req, res, { status: 201, files: found });
    },
    DELETE: withoutBody(async (req, res) => {
      await content.deleteAll(callerOf(req), pathPart(req, "id"));
      answerNothing(res);
    }),
  };
}

function importHandler(options: DraftFileRoutesOptions) {
  const { host, lookup, files } = options;
  return async (req: Request, res: Response): Promise<void> => {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    await files.import(caller, { draftId, bucketId: host.newUuid() });
    const found = await lookup.draft(host.db, caller, draftId, "preview");
    await answerCollection(options, req, res, { status: 201, files: found });
  };
}

function renameHandler(options: DraftFileRoutesOptions) {
  const { host, lookup, fileRenames } = options;
  return async (req: Request, res: Response): Promise<void> => {
    const caller = callerOf(req);
    const { draft } = await lookup.draft(host.db, caller, pathPart(req, "id"), "edit");
    assertUnlocked(draft);
    await fileRenames.rename(caller, draft.id, parse(renamedFilesInput, req.body));
    await answerCollection(options, req, res, {
      status: 200,
      files: await lookup.draft(host.db, caller, draft.id, "preview"),
    });
  };
}

function removeHandler({ host, lookup, content }: DraftFileRoutesOptions) {
  return async (req: Request, res: Response): Promise<void> => {
    const caller = callerOf(req);
    const { draft } = await lookup.draft(host.db, caller, pathPart(req, "id"), "edit");
    assertUnlocked(draft);
    const files = parse(removedFilesInput, req.body);
    await content.deleteMany(
      caller,
      draft.id,
      files.map(({ key }) => key),
    );
    answerNothing(res);
  };
}

function archiveHandler({ host, lookup }: DraftFileRoutesOptions) {
  return async (req: Request, res: Response): Promise<void> => {
    const find = () => lookup.draft(host.db, callerOf(req), pathPart(req, "id"), "preview");
    const { draft, owner } = await find();
    const folder = typeof req.query.folder === "string" ? req.query.folder.replace(/\/*$/, "/") : undefined;
    const all = await lookup.entries(host.db, owner);
    if (folder === undefined) return sendArchive(req, res, host.blobs, { id: draft.id, entries: all, find });
    const entries = all.filter(({ key }) => key.startsWith(folder));
    if (entries.length === 0) throw notFound();
    await sendArchive(req, res, host.blobs, { id: draft.id, folder, entries, find });
  };
}

function entryMethods(options: DraftFileRoutesOptions, id: string, path: FilePath): Methods {
  const { host, lookup, files, content } = options;
  return {
    GET: (req, res) => answerEntry(options, req, res, path),
    async PUT(req, res) {
      const caller = callerOf(req);
      const { draft, entry } = await lookup.draftFile(host.db, caller, id, path.key, "edit");
      assertUnlocked(draft);
      const { metadata } = parse(fileMetadataInput, req.body);
      const sha256 = entry.sha256 ?? undefined;
      const seen = descriptionOf(entry);
      await files.describe(caller, { draftId: id, entryId: entry.id, key: path.key, metadata, seen, sha256 });
      await answerEntry(options, req, res, path);
    },
    DELETE: withoutBody(async (req, res) => {
      await content.delete(callerOf(req), id, path.key);
      answerNothing(res);
    }),
  };
}

function commitMethods(options: DraftFileRoutesOptions, id: string, path: FilePath): Methods {
  return {
    POST: withoutBody(async (req, res) => {
      await options.content.commit(callerOf(req), id, path.key);
      await answerEntry(options, req, res, path);
    }),
  };
}

function contentMethods(options: DraftFileRoutesOptions, id: string, path: FilePath): Methods {
  const { host, lookup, content } = options;

  const uploadCall = async (req: Request, res: Response): Promise<UploadCall> => {
    assertUploadType(req);
    const assertAllowed = () => content.target(callerOf(req), id, path.key);
    const { target } = await assertAllowed();
    const answerComplete = () => answerEntry(options, req, res, path);
    return { uploads: content.uploads, target, assertAllowed, answerComplete };
  };

  async function send(req: Request, res: Response): Promise<void> {
    const find = () => lookup.draftFile(host.db, callerOf(req), id, path.key, "preview");
    const { entry } = await find();
    if (entry.status === "pending") throw noSuchFile(id, path.key);
    await sendContent(req, res, host.blobs, asSent(entry), find);
  }

  async function head(req: Request, res: Response): Promise<void> {
    const find = () => lookup.draftFile(host.db, callerOf(req), id, path.key, "preview");
    const { entry } = await find();
    if (entry.status === "completed") return sendContent(req, res, host.blobs, asSent(entry), find);
    const { target } = await content.target(callerOf(req), id, path.key);
    answerUploadState(res, await content.uploads.state(contentUploadKey(entry)), target.maxBytes);
  }

  return {
    GET: { produces: [], handle: send },
    HEAD: { produces: [], handle: head },
    PUT: { consumes: "stream", handle: async (req, res) => putUpload(req, res, await uploadCall(req, res)) },
    PATCH: { consumes: "stream", handle: async (req, res) => patchUpload(req, res, await uploadCall(req, res)) },
  };
}
