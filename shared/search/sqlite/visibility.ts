import { asLevel, isAtLeast, type Level } from "../../access/level.policy.ts";
import { type Caller, isManager, isSuperuser } from "../../kernel/caller.ts";
import { Bitset } from "./bitset.ts";
import { flag, type RecordValues } from "./record-values.ts";

/** What a caller may reach without owning it. */
export interface GrantedLevels {
  /** By id of the parent: the highest of grants and links. */
  levels: ReadonlyMap<string, Level>;
  /** Ids of drafts whose submitted review is addressed to the caller. */
  reviewed: ReadonlySet<string>;
}

/** Sets of one generation of the documents, by everything else that they depend on. */
interface CachedSets {
  generation: number;
  /** For anonymous callers without links: the same for all of them. */
  shared: Map<string, Bitset>;
  /** For other callers, by their rights: the most recently used. */
  personal: Map<string, Bitset>;
}

const cachedSets = new WeakMap<RecordValues, CachedSets>();
const personalLimit = 6;

/** Which families a caller reaches at which level (records 2); the same facts as the access service gathers. */
export class Visibility {
  readonly #values: RecordValues;
  readonly #caller: Caller;
  readonly #granted: GrantedLevels;
  readonly #levels = new Map<number, Level>();
  readonly #owner: number | undefined;

  constructor(values: RecordValues, caller: Caller, granted: GrantedLevels) {
    this.#values = values;
    this.#caller = caller;
    this.#granted = granted;
    this.#owner = caller.userId === null ? undefined : values.owners.find(caller.userId);
    for (const [parentId, level] of granted.levels) {
      const number = values.parents.find(parentId);
      if (number >= 0) this.#levels.set(number, level);
    }
  }

  isOwn(doc: number): boolean {
    return this.#owner !== undefined && this.#values.owner[doc] === this.#owner;
  }

  has(doc: number, needed: Level): boolean {
    const values = this.#values;
    if (isSuperuser(this.#caller) || this.isOwn(doc)) return true;
    if (isManager(this.#caller) && isAtLeast("preview", needed)) return true;
    const viewerLevel = asLevel(values.levels.words[values.viewerLevel[doc] ?? -1] ?? "none");
    return isAtLeast(viewerLevel, needed) || isAtLeast(this.#levels.get(values.parent[doc] ?? -1) ?? "none", needed);
  }

  /** Such callers all see the same. */
  get #isPublic(): boolean {
    const { userId, roles, linkTokens } = this.#caller;
    return userId === null && roles.size === 0 && linkTokens.length === 0 && this.#granted.levels.size === 0;
  }

  /** Everything that a set depends on besides the documents. */
  get #callerKey(): string {
    const { userId, roles } = this.#caller;
    const { levels, reviewed } = this.#granted;
    return JSON.stringify([userId, [...roles].sort(), [...levels].sort(), [...reviewed].sort()]);
  }

  /** The cached set, for as long as nothing it depends on has changed. */
  #cached(name: string, make: () => Bitset): Bitset {
    const { generation } = this.#values;
    let cached = cachedSets.get(this.#values);
    if (cached?.generation !== generation) cached = { generation, shared: new Map(), personal: new Map() };
    cachedSets.set(this.#values, cached);
    const sets = this.#isPublic ? cached.shared : cached.personal;
    const key = this.#isPublic ? name : `${name} ${this.#callerKey}`;
    const set = sets.get(key) ?? make();
    sets.delete(key);
    sets.set(key, set);
    for (const oldest of cached.personal.keys()) {
      if (cached.personal.size <= personalLimit) break;
      cached.personal.delete(oldest);
    }
    return set;
  }

  /** Read-only. Published, not deleted, readable; only the latest versions unless all are wanted (search 1). */
  published(allVersions: boolean): Bitset {
    const wanted = flag.live | (allVersions ? 0 : flag.latest);
    return this.#cached(`published ${allVersions}`, () =>
      this.#collect((doc, flags) => {
        if ((flags & (wanted | flag.draft)) !== wanted) return false;
        return (flags & flag.public) !== 0 || this.has(doc, "view");
      }),
    );
  }

  /** Read-only. Drafts and records that the caller can edit; one with an open draft appears as that draft (search 1). */
  editable(allVersions: boolean, isShared: boolean | undefined): Bitset {
    return this.#cached(`editable ${allVersions} ${isShared}`, () =>
      this.#collect((doc, flags) => {
        if ((flags & flag.live) === 0 || (flags & flag.hasDraft) !== 0) return false;
        if (!allVersions && (flags & flag.latestDraft) === 0) return false;
        if (isShared !== undefined && this.isOwn(doc) === isShared) return false;
        return this.has(doc, "edit") || this.#granted.reviewed.has(this.#values.ids[doc] ?? "");
      }),
    );
  }

  /** Read-only. Documents whose files the caller may list. */
  readableFiles(): Bitset {
    return this.#cached("files", () =>
      this.#collect((doc, flags) => {
        if ((flags & flag.publicFiles) !== 0) return true;
        if (this.#granted.reviewed.has(this.#values.ids[doc] ?? "")) return true;
        return this.has(doc, (flags & flag.draft) === 0 ? "view" : "preview");
      }),
    );
  }

  #collect(isIn: (doc: number, flags: number) => boolean): Bitset {
    const { size, flags } = this.#values;
    const docs = new Bitset(size);
    for (let doc = 0; doc < size; doc += 1) {
      if (isIn(doc, flags[doc] ?? 0)) docs.add(doc);
    }
    return docs;
  }
}
