import type { Db } from "../../database/open.ts";
import type { SearchDocRow } from "../../database/schema.ts";
import { yieldToEventLoop } from "../../kernel/time-slice.ts";
import { yearOf } from "../language/date-values.ts";
import { letterMask } from "../language/letter-mask.ts";
import type { DocumentFacets } from "../record-document.ts";
import { type FacetCounts, FacetRows, slots } from "./facet-rows.ts";
import { changedDocs } from "./record-values.repository.ts";
import { TokenTable } from "./token-table.ts";

const pageSize = 2000;
const changesKept = 1000;

/** The number of each different string, in order of first appearance. */
export class Dictionary {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.words.length);
    this.words.push(word);
    return this.words.length - 1;
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word);
  }
}

/** Facets of few values; `subtype` is the second level of `resource_type`. */
export const profiledFacets = ["access_status", "resource_type", "subtype", "language"] as const;
export type ProfiledFacet = (typeof profiledFacets)[number];
export type TermFacet = ProfiledFacet | "subject" | "file_type";

/** Values that many documents have in common: their numbers in the dictionary of each facet. */
export interface Profile extends Readonly<Record<ProfiledFacet, readonly number[]>> {
  isDraft: boolean;
  /** First and last year of the publication date; an open interval has only its known end. Undefined: no date. */
  years: readonly [first: number, last: number] | undefined;
}

/** Numbers different things; equal JSON is the same thing. */
class Register<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(thing: T): number {
    const key = JSON.stringify(thing);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    this.all.push(thing);
    return this.all.length - 1;
  }
}

/** Bits of `flags`. */
export const flag = {
  live: 1,
  draft: 2,
  latest: 4,
  latestDraft: 8,
  hasDraft: 16,
  public: 32,
  publicFiles: 64,
} as const;

/**
 * The values of every document that sorting, counting and permissions need: columns in memory by number of the document.
 * A cache: each search first reads the rows of `search_doc` that have changed since (architecture, rule 5).
 */
export class RecordValues {
  size = 0;
  flags = new Uint8Array(0);
  created = new Float64Array(0);
  updated = new Float64Array(0);
  versionIndex = new Int32Array(0);
  views = new Int32Array(0);
  downloads = new Int32Array(0);
  owner = new Int32Array(0);
  /** The number in `levels` of the level that the server sent this replica. */
  viewerLevel = new Int32Array(0);
  parent = new Int32Array(0);
  /** Days of the publication date; NaN: none; infinite: open. */
  firstDay = new Float64Array(0);
  lastDay = new Float64Array(0);
  readonly ids: string[] = [];
  /** `letterMask` of each id. */
  idMasks = new Int32Array(0);
  readonly owners = new Dictionary();
  readonly levels = new Dictionary();
  readonly parents = new TokenTable();
  readonly dictionaries: Record<TermFacet, Dictionary> = {
    access_status: new Dictionary(),
    resource_type: new Dictionary(),
    subtype: new Dictionary(),
    language: new Dictionary(),
    subject: new Dictionary(),
    file_type: new Dictionary(),
  };
  /**
   * The profile, the combination of file types and the subjects of each document. There are far fewer profiles and
   * combinations than documents.
   */
  readonly facetRows = new FacetRows();
  readonly profiles = new Register<Profile>();
  /** Combinations of numbers in the dictionary of file types. */
  readonly fileTypes = new Register<readonly number[]>();
  /** Grows with every change that was read. */
  generation = 0;
  /** First and last year of all documents that were ever read. */
  earliestYear = Number.POSITIVE_INFINITY;
  latestYear = Number.NEGATIVE_INFINITY;
  /** The documents of the last changes, in order. */
  #changed: number[] = [];
  #seq = 0;
  #refreshing: Promise<void> = Promise.resolve();

  /** Reads all committed changes: afterwards every answered write is in. */
  refresh(db: Db): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#follow(db));
    return this.#refreshing;
  }

  /** The documents that have changed since a generation; undefined: too long ago. */
  changedSince(generation: number): number[] | undefined {
    const count = this.generation - generation;
    if (count > this.#changed.length) return undefined;
    return count === 0 ? [] : [...new Set(this.#changed.slice(-count))];
  }

  /** Room for the counts of documents. */
  noCounts(): FacetCounts {
    return {
      profiles: new Int32Array(this.profiles.all.length),
      files: new Int32Array(this.fileTypes.all.length),
      subjects: new Int32Array(this.dictionaries.subject.words.length + slots),
    };
  }

  async #follow(db: Db): Promise<void> {
    let after = { seq: this.#seq, doc: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const rows = await changedDocs(db, after, pageSize);
      for (const row of rows) this.#take(row);
      this.#note(rows.map(({ doc }) => doc));
      const last = rows.at(-1);
      if (last) after = { seq: last.seq, doc: last.doc };
      this.#seq = after.seq;
      if (rows.length < pageSize) return;
      await yieldToEventLoop();
    }
  }

  #note(docs: readonly number[]): void {
    this.generation += docs.length;
    this.#changed = [...this.#changed, ...docs].slice(-changesKept);
  }

  #take(row: Omit<SearchDocRow, "doc"> & { doc: number }): void {
    const { doc } = row;
    this.#makeRoom(doc + 1);
    this.flags[doc] =
      (row.is_live ? flag.live : 0) |
      (row.kind === "draft" ? flag.draft : 0) |
      (row.is_latest ? flag.latest : 0) |
      (row.is_latest_draft ? flag.latestDraft : 0) |
      (row.has_draft ? flag.hasDraft : 0) |
      (row.is_public ? flag.public : 0) |
      (row.has_public_files ? flag.publicFiles : 0);
    this.created[doc] = row.created;
    this.updated[doc] = row.updated;
    this.versionIndex[doc] = row.version_index;
    this.views[doc] = row.views;
    this.downloads[doc] = row.downloads;
    this.owner[doc] = this.owners.numberOf(row.owner_id);
    this.viewerLevel[doc] = this.levels.numberOf(row.viewer_level);
    this.parent[doc] = this.parents.numberOf(row.parent_id);
    this.ids[doc] = row.object_id;
    this.idMasks[doc] = letterMask(row.object_id);
    this.#takeFacets(doc, JSON.parse(row.facets) as DocumentFacets);
  }

  #takeFacets(doc: number, facets: DocumentFacets): void {
    const [first, last] = facets.days ?? [Number.NaN, Number.NaN];
    this.firstDay[doc] = first ?? Number.NEGATIVE_INFINITY;
    this.lastDay[doc] = last ?? Number.POSITIVE_INFINITY;
    const [from, to] = [Number.isFinite(first) ? first : last, Number.isFinite(last) ? last : first];
    const isDated = typeof from === "number" && typeof to === "number" && !Number.isNaN(from);
    const years = isDated ? ([yearOf(from), yearOf(to)] as const) : undefined;
    if (years) {
      this.earliestYear = Math.min(this.earliestYear, years[0]);
      this.latestYear = Math.max(this.latestYear, years[1]);
    }
    const numbers = (name: TermFacet): number[] =>
      [facets[name] ?? []].flat().map((word) => this.dictionaries[name].numberOf(word));
    const profile = this.profiles.numberOf({
      access_status: numbers("access_status"),
      resource_type: numbers("resource_type"),
      subtype: numbers("subtype"),
      language: numbers("language").sort((a, b) => a - b),
      isDraft: ((this.flags[doc] ?? 0) & flag.draft) !== 0,
      years,
    });
    const files = this.fileTypes.numberOf(numbers("file_type").sort((a, b) => a - b));
    this.facetRows.set(doc, { profile, files, subjects: numbers("subject") });
  }

  #makeRoom(size: number): void {
    if (size <= this.size) return;
    if (size > this.flags.length) {
      const room = Math.max(1024, Math.ceil(size * 1.5));
      this.flags = grown(this.flags, new Uint8Array(room));
      for (const name of ["created", "updated", "firstDay", "lastDay"] as const) {
        this[name] = grown(this[name], new Float64Array(room));
      }
      for (const name of ["versionIndex", "views", "downloads", "owner", "viewerLevel"] as const) {
        this[name] = grown(this[name], new Int32Array(room));
      }
      for (const name of ["parent", "idMasks"] as const) this[name] = grown(this[name], new Int32Array(room));
    }
    this.size = size;
  }
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}

const known = new WeakMap<Db, RecordValues>();

/** The columns of a database, brought up to date. */
export async function recordValues(db: Db): Promise<RecordValues> {
  let values = known.get(db);
  if (!values) {
    values = new RecordValues();
    known.set(db, values);
  }
  await values.refresh(db);
  return values;
}
