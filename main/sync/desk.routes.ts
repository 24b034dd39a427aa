import type { Router } from "express";
import { z } from "zod";
import type { Db } from "../../shared/database/open.ts";
import { answer, answerNothing } from "../../shared/kernel/answer.ts";
import { isLonger } from "../../shared/kernel/characters.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { pathPart, resource, routesAbout, withoutBody } from "../../shared/kernel/resource.ts";
import { dropNote, findNote, keepNote, listNotes } from "./desk.repository.ts";

const noteLimit = 500;

/**
 * Saved searches, times of the last visit, drafts as last reviewed, and muted requests. The number is the maximum
 * length of a note in characters.
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
 * Small notes of the app, stored on this computer only. Each note is stored on its own, so that two windows do not
 * overwrite each other.
 * @param onChanged called with the shelf, so that other windows read it again.
 */
export function deskRoutes(db: Db, onChanged: (shelf: string) => void): Router {
  const router = routesAbout("sync");
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
      onChanged(place);
      await answer(req, res, 200, kept);
    },
    DELETE: withoutBody(async (req, res) => {
      const place = shelfOf(pathPart(req, "shelf"));
      await dropNote(db, place, pathPart(req, "key"));
      onChanged(place);
      answerNothing(res);
    }),
  });
  return router;
}
