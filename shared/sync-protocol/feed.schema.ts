import { z } from "zod";
import { bundleSchema } from "../bundles/bundle.schema.ts";

/** What is different from the object that the reader was sent before: `bundle-delta.ts`. */
const bundleDelta = z.object({ sum: z.string(), deflated: z.string() });

/** Bounds of what a replica takes, whatever its server sends: no honest server comes near them. */
const objectId = z.string().min(1).max(300);
const cursor = z.string().max(1000);
const mostChanges = 10_000;

/** One object that changed: its rows or what is new of them, or that it is gone or no longer for the reader. */
export const change = z.object({
  kind: bundleSchema.shape.kind,
  id: objectId,
  seq: z.int(),
  state: z.enum(["live", "withdrawn", "deleted"]),
  bundle: bundleSchema.optional(),
  delta: bundleDelta.optional(),
});
const usageRow = z.object({
  id: z.string(),
  parent_id: z.string(),
  seq: z.int(),
  views: z.int(),
  unique_views: z.int(),
  downloads: z.int(),
  unique_downloads: z.int(),
  data_volume: z.int(),
});
/** Of an answer with a page after which there is more: its `cursor`, known before the body is here. */
export const cursorHeader = "carrel-cursor";

export const feedPage = z.object({
  changes: z.array(change).max(mostChanges),
  /** The reader's own operations whose effect is in here, whether or not an answer to their push ever arrived. */
  applied: z.array(z.object({ id: z.string(), seq: z.int() })),
  /** Usage of the user's records since the last page (README of usage); a server that does not count sends none. */
  usage: z.array(usageRow).default([]),
  /** Where the next page begins; opaque to the client. */
  cursor,
  /** The position that the cursor stands for, to compare with those of push outcomes. */
  seq: z.int(),
  more: z.boolean(),
  /** The server's clock, in microseconds: that of a replica may be wrong by years. A server of old sends none. */
  now: z.int().optional(),
});

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

export const hello = z.object({
  version: z.string().max(100),
  protocol: z.int(),
  oldest_protocol: z.int(),
  user: z.object({ id: objectId.refine((id) => id !== "local"), username: z.string().max(300) }),
  /** The user's card and groups: a replica must know at once who works on it. */
  card: bundleSchema,
  /** Changes when the database was restored from a backup. */
  epoch: z.string().max(1000),
  /** Which library it is, whatever its address; a server of old sends none. */
  library: z.string().max(1000).optional(),
  /** Where the server's links lead; a replica may know it by another address. */
  base_url: webAddress.optional(),
});

/** What the operator has set; judged by the reader, who may be of another version. */
export const operatorSettings = z.object({
  settings: z.record(z.string(), z.unknown()),
  base_url: hello.shape.base_url,
  library: hello.shape.library,
});

export type BundleDelta = z.infer<typeof bundleDelta>;
export type Change = z.infer<typeof change>;
export type FeedPage = z.infer<typeof feedPage>;
