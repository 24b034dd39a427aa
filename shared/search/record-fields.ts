import { dateInterval } from "../metadata/edtf.schema.ts";
import { searchedMetadata } from "../metadata/metadata.schema.ts";
import { daysOf, type Span } from "./language/date-values.ts";
import type { Catalogue, FieldKind, FieldValue } from "./language/field.ts";
import { flatten, type Projection } from "./language/flatten.ts";

/** A match in a field that has no weight of its own, of texts: in the last column. */
const [sharedTextWeight, sharedKeywordWeight] = [3, 5];

/** Default text fields: the columns of the full-text table, in order (search 6.1). The last one is shared. */
export const textColumns: readonly { path: string; kind: FieldKind; weight: number }[] = [
  ...Object.entries(searchedMetadata)
    .flatMap(([path, { kind, bareWords }]) => (typeof bareWords === "object" ? [{ path, kind, ...bareWords }] : []))
    .sort((a, b) => a.column - b.column)
    .map(({ column: _, ...text }) => text),
  { path: "pids.*.identifier", kind: "text", weight: sharedTextWeight },
];

const sharing = Object.entries(searchedMetadata).flatMap(([path, { kind, bareWords }]) =>
  bareWords === "shared" ? [{ path, kind }] : [],
);

/** Keyword fields that bare words are compared with. */
export const defaultKeywordPaths: readonly string[] = [
  "id",
  ...sharing.flatMap(({ path, kind }) => (kind === "keyword" ? [path] : [])),
  "metadata.contact",
];

/** Texts of the last column. */
const sharingTexts = new Set(sharing.flatMap(({ path, kind }) => (kind === "keyword" ? [] : [path])));

const keywords = [
  ...defaultKeywordPaths,
  "parent.id",
  "parent.access.owned_by.user",
  "access.record",
  "access.files",
  "access.status",
  "deletion_status",
  "files.default_preview",
  "files.types",
  "files.mimetypes",
  "files.entries.key",
  "files.entries.checksum",
  "files.entries.mimetype",
  "files.entries.ext",
];

const fixedKinds = new Map<string, FieldKind>([
  ...keywords.map((path): [string, FieldKind] => [path, "keyword"]),
  ...Object.entries(searchedMetadata).map(([path, { kind }]): [string, FieldKind] => [path, kind]),
  ["pids.*.identifier", "text"],
  ["access.embargo.reason", "text"],
  ["versions.index", "number"],
  ["files.count", "number"],
  ["files.total_bytes", "number"],
  ["files.totalbytes", "number"],
  ["files.entries.size", "number"],
  ["is_published", "boolean"],
  ["versions.is_latest", "boolean"],
  ["versions.is_latest_draft", "boolean"],
  ["files.enabled", "boolean"],
  ["access.embargo.active", "boolean"],
  ["has_draft", "boolean"],
  ["created", "time"],
  ["updated", "time"],
  ["access.embargo.until", "time"],
]);

/** Counts that every published record has: only those above zero are in the index. */
export const usagePaths: readonly string[] = ["this_version", "all_versions"].flatMap((of) =>
  ["views", "unique_views", "downloads", "unique_downloads", "data_volume"].map((what) => `stats.${of}.${what}`),
);

const patternKinds: readonly (readonly [RegExp, FieldKind])[] = [
  [/^pids\.[^.]+\.identifier$/, "text"],
  [/^pids\.[^.]+\.(?:identifier\.keyword|provider|client)$/, "keyword"],
  [/^stats\.(?:this_version|all_versions)\.\w+$/, "number"],
  [/^metadata\.(?:.+\.)?(?:id|scheme|type)$/, "keyword"],
  [/^metadata\..+\.title\.[\w-]+$/, "text"],
  [/^metadata\.rights\.description\.[\w-]+$/, "text"],
];
const neverTitles = /^metadata\.(?:additional_titles\.)?title\b/;

const subFields = new Set(
  [...fixedKinds.keys(), "pids.*.identifier.keyword"].filter((path) => /\.(?:original|keyword)$/.test(path)),
);

const weights = new Map<string, number>([
  ...textColumns.map(({ path, weight }): [string, number] => [path, weight]),
  ...[...sharingTexts].map((path): [string, number] => [path, sharedTextWeight]),
  ...defaultKeywordPaths.map((path): [string, number] => [path, sharedKeywordWeight]),
]);

const hiddenRoots = ["internal_notes", "parent.access.grants", "parent.access.links", "access_token", "access_grants"];

/** How a path below `custom_fields.` is queried; undefined: not declared. */
type CustomKind = (path: string) => FieldKind | undefined;

/** `pids.doi.identifier` and its like share one name in the list of default fields. */
const shared = (path: string): string =>
  path.startsWith("pids.") ? path.replace(/^pids\.[^.]+\.identifier\b/, "pids.*.identifier") : path;

function kindOf(path: string, customKind: CustomKind): FieldKind | undefined {
  const fixed = fixedKinds.get(path);
  if (fixed !== undefined) return path.includes("*") ? undefined : fixed;
  if (path.startsWith("custom_fields.")) return customKind(path.slice("custom_fields.".length));
  if (neverTitles.test(path)) return undefined;
  return patternKinds.find(([pattern]) => pattern.test(path))?.[1];
}

/** The fields of records and drafts (search 6.1). */
export function recordCatalogue(customKind: CustomKind = () => undefined): Catalogue {
  return {
    kindOf: (path) => kindOf(path, customKind),
    defaultWeight: (path) => weights.get(shared(path)),
    isHidden: (path) => hiddenRoots.some((root) => path === root || path.startsWith(`${root}.`)),
  };
}

/** The column of a path; undefined: its tokens are kept with the code of the path. */
export const textColumnOf = (path: string): number | undefined =>
  sharingTexts.has(path) ? textColumns.length - 1 : columnAt.get(shared(path));

const columnAt = new Map(textColumns.map(({ path }, at) => [path, at]));

/** Only callers who may list the files may search in these paths. */
export const isFilePath = (path: string): boolean => path.startsWith("files.") && path !== "files.enabled";

/**
 * The field values of a record or draft. The document has the shape of the answer, with `created` and `updated` in
 * microseconds, `files.entries` as a list, and `files.types` and `files.mimetypes`.
 */
export function recordFields(document: Record<string, unknown>): FieldValue[] {
  // All values of a long list have the same path.
  const known = new Map<string, FieldAt[]>();
  const projection: Projection = {
    isHtml: (path) => searchedMetadata[path]?.isHtml === true,
    fieldsAt(path) {
      const fields = known.get(path) ?? fieldsAt(path);
      known.set(path, fields);
      return fields;
    },
  };
  const values = flatten(document, projection);
  const ranges = values.flatMap((value): FieldValue[] => {
    const path = rangeFields.get(value.path);
    if (path === undefined || value.kind !== "keyword") return [];
    const span = edtfDays(value.value);
    return span ? [{ path, kind: "days", value: span }] : [];
  });
  return [...values, ...ranges];
}

interface FieldAt {
  path: string;
  kind: FieldKind;
}

/** The fields that a value fills. */
function fieldsAt(path: string): FieldAt[] {
  // The operator may change the declarations, so these are indexed for every way to query them.
  if (path.startsWith("custom_fields.")) return customKindsOfIndex.map((kind) => ({ path, kind }));
  const fields: FieldAt[] = [];
  const kind = kindOf(path, () => undefined);
  if (kind !== undefined) fields.push({ path, kind });
  for (const suffix of ["original", "keyword"] as const) {
    if (subFields.has(shared(`${path}.${suffix}`))) fields.push({ path: `${path}.${suffix}`, kind: suffix });
  }
  return fields;
}

const customKindsOfIndex: readonly FieldKind[] = ["text", "keyword", "number", "boolean", "time"];

const rangeFields = new Map(
  [...fixedKinds].flatMap(([path, kind]) => (kind === "days" ? [[path.replace(/_range$/, ""), path]] : [])),
);

/** The fields that hold spans of days. */
export const daysPaths: readonly string[] = [...rangeFields.values()];

/** The days that an EDTF date or interval covers; open ends are infinite. Undefined: not such a date. */
export function edtfDays(edtf: string): Span | undefined {
  const interval = dateInterval(edtf);
  if (!interval) return undefined;
  return {
    first: interval.lo === undefined ? Number.NEGATIVE_INFINITY : (daysOf(interval.lo)?.first ?? Number.NaN),
    last: interval.hi === undefined ? Number.POSITIVE_INFINITY : (daysOf(interval.hi)?.last ?? Number.NaN),
  };
}
