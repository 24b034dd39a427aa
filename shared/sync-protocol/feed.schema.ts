import { z } from "zod";
import { bundleSchema } from "../bundles/bundle.schema.ts";

/** The difference to the object that the reader already has (`bundle-delta.ts`). */
const bundleDelta = z.object({ sum: z.string(), deflated: z.string() });

/** Limits of what a replica accepts from its server. A correct server stays far below them. */
const objectId = z.string().min(1).max(300);
const cursor = z.string().max(1000);
const maxChanges = 10_000;

/** A changed object: its rows, a difference, or that it was deleted or withdrawn from the reader. */
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
/** Header with the next `cursor` when more pages follow: the replica knows it before the body has arrived. */
export const cursorHeader = "carrel-cursor";

export const feedPage = z.object({
  changes: z.array(change).max(maxChanges),
  /** The reader's own operations that took effect in this page, even if the answer to their push was lost. */
  applied: z.array(z.object({ id: z.string(), seq: z.int() })),
  /** Changed usage counts of the reader's records (README of `usage`); missing from servers that do not count. */
  usage: z.array(usageRow).default([]),
  /** Where the next page begins; opaque to the client. */
  cursor,
  /** The position that the cursor stands for, to compare with those of push outcomes. */
  seq: z.int(),
  more: z.boolean(),
  /** The server's clock, in microseconds; a replica's clock may be wrong. Older servers omit it. */
  now: z.int().optional(),
});

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

export const hello = z.object({
  version: z.string().max(100),
  protocol: z.int(),
  oldest_protocol: z.int(),
  user: z.object({ id: objectId.refine((id) => id !== "local"), username: z.string().max(300) }),
  /** The user's card and groups: a replica needs to know its user at once. */
  card: bundleSchema,
  /** Epoch of the database: changes when it is restored from a backup. */
  epoch: z.string().max(1000),
  /** Identifies the library, whatever its address. Older servers omit it. */
  library: z.string().max(1000).optional(),
  /** Base of the server's links; the replica may reach it by another address. */
  base_url: webAddress.optional(),
});

/** The operator's settings. The reader validates them, because its version may differ. */
export const operatorSettings = z.object({
  settings: z.record(z.string(), z.unknown()),
  base_url: hello.shape.base_url,
  library: hello.shape.library,
});

export type BundleDelta = z.infer<typeof bundleDelta>;
export type Change = z.infer<typeof change>;
export type FeedPage = z.infer<typeof feedPage>;
export type OperatorSettings = z.infer<typeof operatorSettings>;
