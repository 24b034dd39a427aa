import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";

const cleaned = (max: number) => z.string().overwrite(cleanText).max(max);

export const collectionSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,79}$/, "lower-case letters, digits and hyphens are expected");

/** What visitors see of a collection, and the query that finds its records. */
export const collectionText = {
  title: cleaned(200).min(1),
  query: cleaned(8192).min(1),
  text: cleaned(5000).default(""),
};

const group = z.string().min(1).max(80);

export const newCollection = z.object({ slug: collectionSlug, ...collectionText, group });
/** Only an administrator may give a collection to another group. */
export const collectionChange = z.object({ ...collectionText, group: group.optional() });

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
