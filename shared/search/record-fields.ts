import { dateInterval } from "../records/metadata/edtf.schema.ts";
import { daysOf, type Span } from "./date-values.ts";
import type { Catalogue, FieldKind, FieldValue } from "./field.ts";
import { flatten, type Projection } from "./flatten.ts";

/** Fields of records and drafts that bare words look in, with the weight of a match (search 6.1). */
const defaultTexts: readonly (readonly [path: string, kind: FieldKind, weight: number])[] = [
  ["metadata.title", "joined", 8],
  ["metadata.title.original", "original", 4],
  ["metadata.additional_titles.title", "joined", 5],
  ["metadata.additional_titles.title.original", "original", 2],
  ["metadata.description", "joined", 1],
  ["metadata.additional_descriptions.description", "text", 1],
  ["metadata.creators.person_or_org.name", "joined", 3],
  ["metadata.creators.person_or_org.family_name", "text", 1],
  ["metadata.creators.person_or_org.given_name", "text", 1],
  ["metadata.creators.affiliations.name", "joined", 1],
  ["metadata.contributors.person_or_org.name", "text", 2],
  ["metadata.contributors.person_or_org.family_name", "text", 1],
  ["metadata.contributors.person_or_org.given_name", "text", 1],
  ["metadata.contributors.affiliations.name", "joined", 1],
  ["metadata.publisher", "text", 1],
  ["metadata.subjects.subject", "text", 3],
  ["metadata.dates.description", "text", 1],
  ["metadata.references.reference", "text", 1],
  ["metadata.identifiers.identifier", "text", 3],
  ["metadata.locations.features.place", "text", 1],
  ["metadata.locations.features.description", "text", 1],
  ["metadata.funding.funder.name", "text", 1],
  ["metadata.funding.award.number", "text", 2],
  ["metadata.funding.award.acronym.text", "text", 1],
  ["metadata.funding.award.identifiers.identifier", "text", 1],
  ["pids.*.identifier", "text", 3],
];

const defaultKeywords = ["id", "metadata.publication_date", "metadata.version", "metadata.formats", "metadata.contact"];
const keywordWeight = 5;

const keywords = [
  ...defaultKeywords,
  "parent.id",
  "parent.access.owned_by.user",
  "access.record",
  "access.files",
  "access.status",
  "deletion_status",
  "metadata.sizes",
  "metadata.dates.date",
  "metadata.resource_type.props.type",
  "metadata.resource_type.props.subtype",
  "metadata.creators.person_or_org.identifiers.identifier",
  "metadata.related_identifiers.identifier",
  "metadata.references.identifier",
  "metadata.rights.props.url",
  "files.default_preview",
  "files.types",
  "files.mimetypes",
  "files.entries.key",
  "files.entries.checksum",
  "files.entries.mimetype",
  "files.entries.ext",
  "metadata.title.keyword",
  "metadata.publisher.keyword",
  "metadata.subjects.subject.keyword",
  "metadata.funding.award.number.keyword",
];

const fixedKinds = new Map<string, FieldKind>([
  ...keywords.map((path): [string, FieldKind] => [path, "keyword"]),
  ...defaultTexts.map(([path, kind]): [string, FieldKind] => [path, kind]),
  ["metadata.copyright", "text"],
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
  ["metadata.publication_date_range", "days"],
  ["metadata.dates.date_range", "days"],
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
  ...defaultTexts.map(([path, , weight]): [string, number] => [path, weight]),
  ...defaultKeywords.map((path): [string, number] => [path, keywordWeight]),
]);

const hiddenRoots = ["internal_notes", "parent.access.grants", "parent.access.links", "access_token", "access_grants"];
const htmlPaths = new Set(["metadata.description", "metadata.additional_descriptions.description"]);

/** How a path below `custom_fields.` is asked; undefined: not declared. */
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

/** Default text fields: the columns of the full-text table, in order. */
export const textColumns = defaultTexts.map(([path, kind, weight]) => ({ path, kind, weight }));

/** Keyword fields that bare words are compared with. */
export const defaultKeywordPaths: readonly string[] = defaultKeywords;

/** The column of a path; undefined: its tokens are kept with the code of the path. */
export const textColumnOf = (path: string): number | undefined => columnAt.get(shared(path));

const columnAt = new Map(textColumns.map(({ path }, at) => [path, at]));

/** Files are known only to who may list them. */
export const isFilePath = (path: string): boolean => path.startsWith("files.") && path !== "files.enabled";

/**
 * The field values of a record or draft. The document has the shape of the answer, with `created` and `updated` in
 * microseconds, `files.entries` as a list, and `files.types` and `files.mimetypes`.
 */
export function recordFields(document: Record<string, unknown>): FieldValue[] {
  // Of a long list all values have the same path.
  const known = new Map<string, FieldAt[]>();
  const projection: Projection = {
    isHtml: (path) => htmlPaths.has(path),
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
  // What the operator declares may change: these are kept in every way that they may be asked.
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

const rangeFields = new Map([
  ["metadata.publication_date", "metadata.publication_date_range"],
  ["metadata.dates.date", "metadata.dates.date_range"],
]);

/** The days that an EDTF date or interval covers; open ends are infinite. Undefined: not such a date. */
export function edtfDays(edtf: string): Span | undefined {
  const interval = dateInterval(edtf);
  if (!interval) return undefined;
  return {
    first: interval.lo === undefined ? Number.NEGATIVE_INFINITY : (daysOf(interval.lo)?.first ?? Number.NaN),
    last: interval.hi === undefined ? Number.POSITIVE_INFINITY : (daysOf(interval.hi)?.last ?? Number.NaN),
  };
}
