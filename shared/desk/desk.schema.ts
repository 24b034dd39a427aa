import { z } from "zod";
import { isLonger } from "../kernel/characters.ts";

/**
 * Saved searches, times of the last visit, drafts as last reviewed, muted requests, what new drafts begin with, and
 * templates of drafts. The number is the maximum length of a note in characters.
 */
const shelves = {
  searches: 20_000,
  looks: 20_000,
  reviews: 1_000_000,
  mutes: 100,
  defaults: 20_000,
  templates: 1_000_000,
};
export type Shelf = keyof typeof shelves;
export const isShelf = (name: string): name is Shelf => Object.hasOwn(shelves, name);

export const noteKey = z.string().regex(/^[\w-]{1,64}$/);

/** What a body of JSON can hold beside arrays and simple values. Its members are JSON already: they need no check. */
const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Not a JSON object.",
);

/** The body of a note: its value as JSON text. */
export const noteFor = (shelf: Shelf) =>
  z.object({
    value: jsonObject
      .transform((value) => JSON.stringify(value))
      .refine((text) => !isLonger(text, shelves[shelf]), `At most ${shelves[shelf]} characters.`),
  });
