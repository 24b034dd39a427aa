import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";

const cleaned = (max: number) => z.string().overwrite(cleanText).max(max);

export const collectionSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,79}$/, "lower-case letters, digits and hyphens are expected");

const inOneLine = (text: string): string => text.replace(/\s+/gu, " ");
const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** What visitors see of a collection, and the query that finds its records. */
export const collectionText = {
  title: cleaned(200)
    .overwrite(inOneLine)
    .min(1, { abort: true })
    .refine(hasLetters, "A title needs a letter or digit."),
  query: cleaned(8192).min(1),
  text: cleaned(5000).default(""),
};

const maxWords = 200;
const isShort = (query: string): boolean => (query.match(/[\p{L}\p{N}]+/gu) ?? []).length <= maxWords;

/** Shorter than that of the operator: each publication is judged by the queries of all collections. */
const query = cleaned(2000).min(1, { abort: true }).refine(isShort, `A query may have ${maxWords} words.`);
const group = z.string().min(1).max(80);

export const newCollection = z.object({ slug: collectionSlug, ...collectionText, query, group });
/** Only an administrator may give a collection to another group. */
export const collectionChange = z.object({ ...collectionText, query, group: group.optional() });

const body = z.unknown().optional();
const slug = z.string();

export const createCollection = command({
  name: "collection.create",
  version: 1,
  senders: { route: "administrator" },
  input: z.object({ body }),
});

export const updateCollection = command({
  name: "collection.update",
  version: 1,
  senders: { route: "person" },
  input: z.object({ slug, body }),
});

export const deleteCollection = command({
  name: "collection.delete",
  version: 1,
  senders: { route: "administrator" },
  input: z.object({ slug }),
});
