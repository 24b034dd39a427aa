import type { Request, Router } from "express";
import { z } from "zod";
import type { DeskOwner } from "../desk/desk-owner.ts";
import { answer } from "../kernel/answer.ts";
import { parse } from "../kernel/parse.ts";
import { pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { keptCommentDraft } from "./comment-draft.schema.ts";
import type { CommentDrafts, Editor } from "./comment-draft.service.ts";

const name = z.string().regex(/^[\w-]{1,64}$/);

export interface CommentDraftRouteParts {
  commentDrafts: CommentDrafts;
  ownerOf: DeskOwner;
}

/** Unsent comments: one text with files for each editor of a request (hosts-and-sync 8). */
export function commentDraftRoutes({ commentDrafts, ownerOf }: CommentDraftRouteParts): Router {
  const router = routesAbout("sync");
  for (const path of ["/api/sync/comment-drafts/:request", "/api/sync/comment-drafts/:request/:place"]) {
    const editorOf = (req: Request): Editor => ({
      owner: ownerOf(req),
      request: parse(name, pathPart(req, "request")),
      place: path.endsWith(":place") ? parse(name, pathPart(req, "place")) : "",
    });
    resource(router, path, {
      GET: async (req, res) => answer(req, res, 200, await commentDrafts.read(editorOf(req))),
      PUT: async (req, res) => {
        const editor = editorOf(req);
        const { base, ...draft } = parse(keptCommentDraft, req.body);
        await answer(req, res, 200, await commentDrafts.keep(editor, draft, base));
      },
    });
  }
  return router;
}
