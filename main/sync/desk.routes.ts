import type { Router } from "express";
import { z } from "zod";
import type { Db } from "../../shared/database/open.ts";
import { answer, answerNothing } from "../../shared/kernel/answer.ts";
import { isLonger } from "../../shared/kernel/characters.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { newRouter, pathPart, resource } from "../../shared/kernel/resource.ts";
import { dropNote, findNote, keepNote, listNotes } from "./desk.repository.ts";

const noteLimit = 500;

/**
 * Saved searches; when the person last looked at what others changed; drafts as they were when she last reviewed them;
 * requests that she wants no notices of. With the most characters of a note.
 */
const shelves = { searches: 20_000, looks: 20_000, reviews: 1_000_000, mutes: 100 };
type Shelf = keyof typeof shelves;
const isShelf = (name: string): name is Shelf => Object.hasOwn(shelves, name);
const key = z.string().regex(/^[\w-]{1,64}$/);
const noteFor = (shelf: Shelf) =>
  z.object({
    value: z
      .record(z.string(), z.json())
      .refine((value) => !isLonger(JSON.stringify(value), shelves[shelf]), `At most ${shelves[shelf]} characters.`),
  });

/**
 * Small things that the app keeps for its person beside her work: on this computer only, shelf by shelf, note by
 * note, so that two windows do not overwrite each other.
 */
export function deskRoutes(db: Db): Router {
  const router = newRouter();
  const shelfOf = (name: string) => {
    if (!isShelf(name)) throw new Failure("not_found", "There is no such shelf.");
    return name;
  };
  resource(router, "/api/sync/desk/:shelf", {
    GET: async (req, res) => answer(req, res, 200, { notes: await listNotes(db, shelfOf(pathPart(req, "shelf"))) }),
  });
  resource(router, "/api/sync/desk/:shelf/:key", {
    GET: async (req, res) => {
      const kept = await findNote(db, shelfOf(pathPart(req, "shelf")), pathPart(req, "key"));
      if (kept === undefined) throw notFound();
      await answer(req, res, 200, kept);
    },
    PUT: async (req, res) => {
      const place = shelfOf(pathPart(req, "shelf"));
      const kept = { key: parse(key, pathPart(req, "key")), ...parse(noteFor(place), req.body) };
      const notes = await listNotes(db, place);
      if (notes.length >= noteLimit && !notes.some((one) => one.key === kept.key)) {
        throw new Failure("invalid", `At most ${noteLimit} can be kept. Remove some first.`);
      }
      await keepNote(db, place, kept);
      await answer(req, res, 200, kept);
    },
    DELETE: async (req, res) => {
      await dropNote(db, shelfOf(pathPart(req, "shelf")), pathPart(req, "key"));
      answerNothing(res);
    },
  });
  return router;
}
