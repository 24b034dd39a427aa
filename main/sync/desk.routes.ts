import type { Router } from "express";
import { z } from "zod";
import type { Db } from "../../shared/database/open.ts";
import { answer, answerNothing } from "../../shared/kernel/answer.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { newRouter, pathPart, resource } from "../../shared/kernel/resource.ts";
import { dropNote, keepNote, listNotes } from "./desk.repository.ts";

const noteLimit = 500;
const noteChars = 20_000;

/** Saved searches, and when the person last looked at what others changed. */
const shelf = z.enum(["searches", "looks"]);
const key = z.string().regex(/^[\w-]{1,64}$/);
const note = z.object({
  value: z
    .record(z.string(), z.json())
    .refine((value) => JSON.stringify(value).length <= noteChars, `At most ${noteChars} characters.`),
});

/**
 * Small things that the app keeps for its person beside her work: on this computer only, shelf by shelf, note by
 * note, so that two windows do not overwrite each other.
 */
export function deskRoutes(db: Db): Router {
  const router = newRouter();
  const shelfOf = (name: string) => {
    const { data } = shelf.safeParse(name);
    if (data === undefined) throw new Failure("not_found", "There is no such shelf.");
    return data;
  };
  resource(router, "/api/sync/desk/:shelf", {
    GET: async (req, res) => answer(req, res, 200, { notes: await listNotes(db, shelfOf(pathPart(req, "shelf"))) }),
  });
  resource(router, "/api/sync/desk/:shelf/:key", {
    PUT: async (req, res) => {
      const place = shelfOf(pathPart(req, "shelf"));
      const kept = { key: parse(key, pathPart(req, "key")), ...parse(note, req.body) };
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
