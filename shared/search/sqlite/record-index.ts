import type { Db } from "../../database/open.ts";
import type { UsageRow } from "../../database/schema.ts";
import { longSliceMs, Slices } from "../../kernel/time-slice.ts";
import { countsOf } from "../../usage/usage.presenter.ts";
import type { FieldValue } from "../language/field.ts";
import { type FamilyRows, familyDocuments, type RecordDocument, usageOf } from "../record-document.ts";
import { recordFields } from "../record-fields.ts";
import { documentFields } from "./document-fields.ts";
import { findFamily } from "./family-rows.repository.ts";
import {
  addTokens,
  compareWithIndex,
  listIndexed,
  type NumberEntry,
  pathIds,
  replaceNumbers,
  replaceTerms,
  type TermEntry,
} from "./index-entries.repository.ts";
import { analysedTexts, textRow } from "./index-tokens.ts";
import {
  type KnownDoc,
  listDocs,
  listDocsOf,
  listUsageOf,
  markDead,
  nextSeq,
  replaceUsageNumbers,
  storeDoc,
  storeText,
  updateUsage,
} from "./record-index.repository.ts";

export interface IndexOptions {
  /** Writes the texts even when they have not changed. */
  isForced?: boolean;
}

/** The searched rows of a family; undefined: no such family. */
export const readFamily = (db: Db, parentId: string): Promise<FamilyRows | undefined> => findFamily(db, parentId);

/** The stored counts of some families. */
export const readUsage = (db: Db, parentIds: readonly string[]): Promise<UsageRow[]> => listUsageOf(db, parentIds);

/**
 * Updates the index rows of a family: records, drafts, files, owner. Call it once in the transaction of every write that
 * touches a family, after the write (search 1, 12). Grants, links and reviews are read at the time of the search and
 * need no call.
 */
export async function reindexFamily(tx: Db, parentId: string, options: IndexOptions = {}): Promise<void> {
  await indexFamily(tx, parentId, await findFamily(tx, parentId), options);
}

/** As `reindexFamily`, with rows that may come from another database. */
export async function indexFamily(
  tx: Db,
  parentId: string,
  family: FamilyRows | undefined,
  options: IndexOptions = {},
): Promise<void> {
  const { known, seq } = await listDocs(tx, parentId);
  const documents = family ? familyDocuments(family) : [];
  const places = placesOf(documents, known);
  const kept = new Set(places.values());
  for (const old of known) if (old.is_live === 1 && !kept.has(old)) await markDead(tx, old.doc, seq);
  if (!family) return;
  const owner = { id: family.parent.owner_id, viewerLevel: family.parent.viewer_level ?? "none" };
  for (const document of documents) {
    const old = places.get(document);
    await indexDocument(tx, document, { seq, owner, old, isForced: options.isForced === true });
  }
}

/** The documents of a family, as they are indexed. */
export async function searchedDocuments(db: Db, parentId: string): Promise<RecordDocument[]> {
  const family = await findFamily(db, parentId);
  return family ? familyDocuments(family) : [];
}

/** The index row of each document. A published draft hands its row to the record, whose text is nearly the same. */
function placesOf(documents: readonly RecordDocument[], known: readonly KnownDoc[]): Map<RecordDocument, KnownDoc> {
  const places = new Map<RecordDocument, KnownDoc>();
  for (const document of documents) {
    const old = known.find((row) => row.kind === document.kind && row.object_id === document.row.id);
    if (old) places.set(document, old);
  }
  const kept = new Set(places.values());
  for (const document of documents.filter((one) => one.kind === "record" && !places.has(one))) {
    const draft = known.find((row) => row.object_id === document.row.id && !kept.has(row));
    if (draft) places.set(document, draft);
  }
  return places;
}

/** Updates the usage counts of some families in the index, and nothing else. */
export async function reindexUsage(tx: Db, parentIds: readonly string[]): Promise<void> {
  await indexUsage(tx, parentIds, await listUsageOf(tx, parentIds));
}

/** As `reindexUsage`, with rows that may come from another database. */
export async function indexUsage(tx: Db, parentIds: readonly string[], rows: UsageRow[]): Promise<void> {
  const seq = await nextSeq(tx);
  const numbers: [path: string, value: number, doc: number][] = [];
  for (const doc of await listDocsOf(tx, parentIds)) {
    const counts = countsOf(rows, doc.parent_id);
    await updateUsage(tx, doc.doc, { views: counts.unique_views, downloads: counts.unique_downloads, seq });
    if (doc.kind !== "record") continue;
    const values = recordFields(usageOf({ id: doc.object_id, parent_id: doc.parent_id }, rows));
    for (const value of values) if (value.kind === "number") numbers.push([value.path, value.value, doc.doc]);
  }
  const ids = await pathIds(tx, [...new Set(numbers.map(([path]) => path))]);
  await replaceUsageNumbers(
    tx,
    numbers.map(([path, value, doc]) => [ids.get(path) ?? 0, value, doc]),
  );
}

interface IndexContext {
  seq: number;
  owner: { id: string; viewerLevel: string };
  /** The row that the document had before. */
  old: KnownDoc | undefined;
  isForced: boolean;
}

async function indexDocument(tx: Db, document: RecordDocument, context: IndexContext): Promise<void> {
  const slices = new Slices(longSliceMs);
  const values = await documentFields(document.json);
  const { old, isForced } = context;
  const analysed = await analysedTexts(values);
  await slices.next();
  const paths = [...new Set(values.map((value) => value.path))];
  const { ids, newTokens, had } = await compareWithIndex(tx, paths, analysed.tokens, old?.doc);
  const idOf = (path: string): number => {
    const id = ids.get(path);
    if (id === undefined) throw new Error(`the path ${path} has no number`);
    return id;
  };
  const text = await textRow(analysed, idOf);
  await slices.next();
  const doc = await storeDoc(tx, docRow(document, context, text.hash), old?.doc);
  if (old?.text_hash !== text.hash || isForced) {
    await storeText(tx, doc, text.columns);
    await slices.next();
    await addTokens(tx, newTokens);
  }
  await slices.next();
  // A rebuild may find entries of a document that has no row.
  const indexed = old === undefined && isForced ? await listIndexed(tx, doc) : had;
  await replaceTerms(tx, doc, termsIn(values, idOf), indexed.terms);
  await replaceNumbers(tx, doc, numbersIn(values, idOf), indexed.numbers);
  await slices.next();
}

function docRow(document: RecordDocument, { seq, owner }: IndexContext, text_hash: string) {
  const { row } = document;
  const flag = (value: boolean): number => (value ? 1 : 0);
  return {
    kind: document.kind,
    object_id: row.id,
    parent_id: row.parent_id,
    seq,
    is_live: 1,
    owner_id: owner.id,
    viewer_level: owner.viewerLevel,
    created: row.created,
    updated: row.updated,
    version_index: row.version_index,
    is_latest: flag(document.isLatest),
    is_latest_draft: flag(document.isLatestDraft),
    has_draft: flag(document.hasDraft),
    is_public: flag(document.isPublic),
    has_public_files: flag(document.hasPublicFiles),
    views: document.usage.unique_views,
    downloads: document.usage.unique_downloads,
    facets: JSON.stringify(document.facets),
    text_hash,
  };
}

function termsIn(values: readonly FieldValue[], idOf: (path: string) => number): TermEntry[] {
  return values.flatMap((value): TermEntry[] => {
    if (value.kind === "keyword" || value.kind === "address") return [[idOf(value.path), value.value]];
    return value.kind === "boolean" ? [[idOf(value.path), String(value.value)]] : [];
  });
}

function numbersIn(values: readonly FieldValue[], idOf: (path: string) => number): NumberEntry[] {
  return values.flatMap((value): NumberEntry[] => {
    if (value.kind === "days") return [[idOf(value.path), value.value.first, value.value.last]];
    return value.kind === "number" || value.kind === "time" ? [[idOf(value.path), value.value, value.value]] : [];
  });
}
