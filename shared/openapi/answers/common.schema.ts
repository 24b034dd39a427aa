import { z } from "zod";
import { named } from "./named.schema.ts";

/** Absolute address. */
export const address = z.url();
/** Time of records, drafts, files, requests and comments (records 1.6). */
export const spacedTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/)
  .describe("UTC, `YYYY-MM-DD hh:mm:ss.ffffff`");
/** Time of people, groups, tokens, links, vocabularies, and everything below `/api/sync`. */
export const isoTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/)
  .describe("ISO 8601 with `+00:00`");
/** Day without a time. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const simpleTypes = ["object", "string", "number", "boolean", "null"];
/** Any JSON value: values of fields of every kind. Client generators need the items of a list (interoperability 10). */
export const anyValue = z.unknown().meta({ type: [...simpleTypes, "array"], items: { type: simpleTypes } });
/** Text by language code. */
export const localised = z.record(z.string(), z.string());
export const revision = z.int().min(1).describe("Increases with every change; the ETag has it in quotes");
export const userReference = z.object({ user: z.string() });

export const fieldProblem = named(
  "FieldError",
  "One refused field: its dotted path, and its problems.",
  z.object({ field: z.string(), messages: z.array(z.string()) }),
);

export const tombstone = named(
  "Tombstone",
  "The tombstone of a deleted record.",
  z.object({
    removal_reason: z.object({ id: z.string() }).optional(),
    note: z.string(),
    removed_by: userReference,
    removal_date: isoTime,
    citation_text: z.string(),
    is_visible: z.boolean(),
  }),
);

export const errorBody = named(
  "Error",
  "Every refusal, whatever the route.",
  z.object({
    status: z.int().min(400).max(599).describe("The HTTP status"),
    message: z.string().min(1),
    errors: z.array(fieldProblem).min(1).optional(),
    error: z.string().optional().describe("For refused credentials: the OAuth error code"),
    error_description: z.string().optional(),
    tombstone: tombstone.optional().describe("Of a deleted record (410)"),
  }),
);

export const syncMark = named(
  "SyncMark",
  "Unsent changes and open conflicts of the object. On a replica only.",
  z.object({
    state: z.enum(["pending", "sending", "rejected", "conflict"]),
    operations: z.array(z.object({ id: z.string(), kind: z.string() })),
    message: z.string().optional(),
    not_taken: z
      .array(fieldProblem)
      .optional()
      .describe("Values that a non-Carrel server did not store. They stay on this computer."),
  }),
);

/** Of objects that a replica may have changed. */
export const marked = { sync: syncMark.optional() };

const bucket = z.object({
  key: z.string(),
  doc_count: z.int().min(0),
  label: z.string(),
  is_selected: z.boolean(),
});

export const aggregation = named(
  "Aggregation",
  "The number of matches with each value.",
  z.object({
    label: z.string(),
    buckets: z.array(bucket.extend({ inner: z.object({ buckets: z.array(bucket) }).optional() })),
  }),
);

interface ListParts {
  /** Names of the aggregations of the list. */
  aggregations?: readonly string[];
  /** Lists of records, requests and events say which page they are. */
  showsPage?: boolean;
  more?: z.ZodRawShape;
}

/** The search envelope (search 3) around hits of one kind. */
export function listOf<Hit extends z.ZodType>(hit: Hit, { aggregations, showsPage, more }: ListParts = {}) {
  const facets = Object.fromEntries((aggregations ?? []).map((name) => [name, aggregation]));
  return z.object({
    hits: z.object({ hits: z.array(hit), total: z.int().min(0).describe("All matches, not the page") }),
    ...(aggregations ? { aggregations: z.object(facets) } : {}),
    sortBy: z.string().describe("The sort really used"),
    ...(showsPage ? { page: z.int().min(1) } : {}),
    links: z.object({ self: address, prev: address.optional(), next: address.optional() }),
    ...more,
  });
}

/** A short list without pages. */
export const plainListOf = <Hit extends z.ZodType>(hit: Hit) =>
  z.object({ hits: z.object({ hits: z.array(hit), total: z.int().min(0) }) });
