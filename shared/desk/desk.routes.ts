import type { Request, Router } from "express";
import { answerJson, answerList, answerNothing } from "../kernel/answer.ts";
import { Failure } from "../kernel/failure.ts";
import { parse } from "../kernel/parse.ts";
import { pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import { isShelf, noteFor, noteKey, type Shelf } from "./desk.schema.ts";
import type { DeskNote, DeskService } from "./desk.service.ts";
import type { DeskOwner } from "./desk-owner.ts";

function shelfOf(req: Request): Shelf {
  const name = pathPart(req, "shelf");
  if (!isShelf(name)) throw new Failure("not_found", "There is no such shelf.");
  return name;
}

/** The longest note, with each character in four bytes or as an escape. */
const maxNoteBytes = 6 * 1024 * 1024;

const textOf = ({ key, text }: DeskNote): string => `{"key":${JSON.stringify(key)},"value":${text}}`;

async function* textsOf(notes: AsyncIterable<DeskNote>): AsyncGenerator<string> {
  for await (const note of notes) yield textOf(note);
}

export interface DeskRouteParts {
  desk: DeskService;
  ownerOf: DeskOwner;
  /** Called when a shelf is read. */
  onRead?: ((shelf: Shelf) => void) | undefined;
  /** Called with the shelf, so that the owner's other windows read it again. */
  onChanged(owner: string, shelf: string): void;
}

/** Notes of the app for its user (design, ux 1). */
export function deskRoutes({ desk, ownerOf, onRead, onChanged }: DeskRouteParts): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/desk/:shelf", {
    GET: async (req, res) => {
      const shelf = shelfOf(req);
      onRead?.(shelf);
      await answerList(req, res, "notes", textsOf(desk.list(ownerOf(req), shelf)));
    },
  });
  resource(router, "/api/sync/desk/:shelf/:key", {
    GET: async (req, res) =>
      answerJson(req, res, textOf(await desk.find(ownerOf(req), shelfOf(req), pathPart(req, "key")))),
    PUT: {
      maxBytes: maxNoteBytes,
      handle: async (req, res) => {
        const [owner, shelf] = [ownerOf(req), shelfOf(req)];
        const key = parse(noteKey, pathPart(req, "key"));
        const note = { key, text: parse(noteFor(shelf), req.body).value };
        // Making the text of the largest note takes a turn of its own.
        await yieldToEventLoop();
        await desk.keep(owner, shelf, note);
        await answerJson(req, res, textOf(note));
        onChanged(owner, shelf);
      },
    },
    DELETE: withoutBody(async (req, res) => {
      const [owner, shelf] = [ownerOf(req), shelfOf(req)];
      await desk.remove(owner, shelf, pathPart(req, "key"));
      answerNothing(res);
      onChanged(owner, shelf);
    }),
  });
  return router;
}
