import { joinedFormsOf, originalTokensOf, tokensOf } from "../../shared/search/language/analysis.ts";
import type { Span } from "../../shared/search/language/date-values.ts";
import { yearOf } from "../../shared/search/language/date-values.ts";
import type { FieldValue } from "../../shared/search/language/field.ts";
import type { FamilyRows, RecordDocument } from "../../shared/search/record-document.ts";
import { familyDocuments } from "../../shared/search/record-document.ts";
import { daysPaths, recordFields, textColumnOf } from "../../shared/search/record-fields.ts";
import { cut, numberTerm, pathStart, termOf } from "./index-terms.ts";

/** The fields of texts that bare words look in, by the kind of text. */
export const textFields = { text: "t", joined: "j", original: "o" } as const;

export const daysField = (path: string): string => `d${daysPaths.indexOf(path)}`;

/** So many values of a field have a place of their own. The rest share one: places are numbers of 31 bits. */
const maxValues = 200_000;

/** Facet values beyond this length are not counted. */
const longestFacet = 8000;

interface Texts {
  t: string[];
  j: string[];
  o: string[];
  c: string[];
}

/** A range of the engine; an absent end is open. */
interface Days {
  gte?: number;
  lte?: number;
}

/** A record or draft as the engine holds it. `index-mapping.ts` says what each field is for. */
export interface IndexDocument extends Partial<Texts> {
  kind: "record" | "draft";
  id: string;
  [field: string]: unknown;
}

export interface NamedDocument {
  /** The name in the index. */
  name: string;
  document: IndexDocument;
}

/** What the index holds of a family, and the names that nothing has now, though something may have had them. */
export interface IndexedFamily {
  documents: NamedDocument[];
  free: string[];
}

const recordName = (id: string): string => `r:${id}`;
const editName = (id: string): string => `e:${id}`;
/** A draft of a new version disappears without a trace in the rows, so its name is that of its family. */
const newName = (parentId: string, at: number): string => `n:${parentId}:${at}`;

/**
 * The documents of a family under names that follow from its rows: what a later state of the family lacks can be deleted
 * by name. `recordIds` are all records, deleted ones included.
 */
export function indexedFamily(
  parentId: string,
  family: FamilyRows | undefined,
  recordIds: readonly string[],
): IndexedFamily {
  const documents: NamedDocument[] = [];
  let drafts = 0;
  for (const document of family ? familyDocuments(family) : []) {
    const { kind, row } = document;
    let name = recordName(row.id);
    if (kind === "draft" && "is_edit" in row && row.is_edit === 1) name = editName(row.id);
    else if (kind === "draft") name = newName(parentId, drafts++);
    documents.push({ name, document: indexDocument(document, family?.parent.owner_id ?? "") });
  }
  const used = new Set(documents.map(({ name }) => name));
  const all = [...recordIds.flatMap((id) => [recordName(id), editName(id)]), newName(parentId, drafts)];
  return { documents, free: all.filter((name) => !used.has(name)) };
}

function indexDocument(document: RecordDocument, owner: string): IndexDocument {
  const { row, facets } = document;
  const values = recordFields(document.json);
  return {
    kind: document.kind,
    id: row.id,
    parent: row.parent_id,
    owner,
    is_latest: document.isLatest,
    is_latest_draft: document.isLatestDraft,
    has_draft: document.hasDraft,
    is_public: document.isPublic,
    has_public_files: document.hasPublicFiles,
    created: row.created,
    updated: row.updated,
    version_index: row.version_index,
    views: document.usage.unique_views,
    downloads: document.usage.unique_downloads,
    access_status: facets.access_status,
    resource_type: facets.resource_type,
    subtype: facets.subtype,
    language: facets.language,
    subject: facets.subject.filter((subject) => subject.length <= longestFacet),
    file_type: facets.file_type,
    ...publicationDate(facets.days),
    ...textsOf(values),
    ...termsOf(values),
  };
}

/** The same without its words, for a document that the engine refuses: it stays in lists and counts. */
export function withoutWords({ t, j, o, c, k, ...document }: IndexDocument): IndexDocument {
  return document;
}

function publicationDate(days: readonly [number | null, number | null] | null) {
  if (!days) return {};
  const [first, last] = days;
  const [from, to] = [first ?? last, last ?? first];
  const years = from === null || to === null ? {} : { first_year: yearOf(from), last_year: yearOf(to) };
  return { published: rangeOf(first ?? undefined, last ?? undefined), ...years };
}

const rangeOf = (gte: number | undefined, lte: number | undefined): Days => ({
  ...(gte === undefined ? {} : { gte }),
  ...(lte === undefined ? {} : { lte }),
});

function textsOf(values: readonly FieldValue[]): Texts {
  const texts: Texts = { t: [], j: [], o: [], c: [] };
  for (const value of values) {
    if (value.kind !== "text" && value.kind !== "joined" && value.kind !== "original") continue;
    const tokens = (value.kind === "original" ? originalTokensOf : tokensOf)(value.value);
    const joined = value.kind === "joined" ? joinedFormsOf(value.value) : [];
    const pieces = [tokens, ...joined.map((form) => [form])].map((piece) => piece.map(cut));
    if (textColumnOf(value.path) !== undefined) add(texts[textFields[value.kind]], pieces);
    const start = pathStart(value.path);
    const coded = pieces.map((piece) => piece.map((token) => start + token));
    add(texts.c, coded);
  }
  return texts;
}

function add(to: string[], pieces: readonly (readonly string[])[]): void {
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    const text = piece.join(" ");
    if (to.length < maxValues) to.push(text);
    else to.push(`${to.pop()} ${text}`);
  }
}

/** Keywords, numbers and the paths that have a value. */
function termsOf(values: readonly FieldValue[]): Record<string, unknown> {
  const keywords = new Set<string>();
  const numbers = new Set<string>();
  const days: Record<string, Days[]> = {};
  for (const value of values) {
    if (value.kind === "keyword" || value.kind === "address") keywords.add(termOf(value.path, value.value));
    else if (value.kind === "boolean") keywords.add(termOf(value.path, String(value.value)));
    else if (value.kind === "number" || value.kind === "time")
      numbers.add(numberTerm(value.path, value.kind, value.value));
    else if (value.kind === "days" && isSpan(value.value)) {
      const field = daysField(value.path);
      days[field] = [...(days[field] ?? []), spanRange(value.value)];
    }
  }
  const paths = [...new Set(values.map(({ path }) => path))];
  return { k: [...keywords], v: [...numbers], p: paths, ...days };
}

const isSpan = ({ first, last }: Span): boolean => !Number.isNaN(first) && !Number.isNaN(last);

const spanRange = ({ first, last }: Span): Days =>
  rangeOf(Number.isFinite(first) ? first : undefined, Number.isFinite(last) ? last : undefined);
