import { asLevel, isAtLeast, type Level } from "../access/level.policy.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";
import { Bitset } from "./bitset.ts";
import { flag, type RecordValues } from "./record-values.ts";

/** What the caller was given, beyond owning: levels of families, and drafts under her review. */
export interface Given {
  /** By id of the parent: the highest of grants and links. */
  levels: ReadonlyMap<string, Level>;
  /** Ids of drafts whose submitted review is addressed to her. */
  reviewed: ReadonlySet<string>;
}

/** Sets of one state of the documents, by what else they depend on. */
interface KnownSets {
  generation: number;
  /** Of those who are nobody in particular: the same for all of them. */
  shared: Map<string, Bitset>;
  /** Of others, by who they are and what they were given, the last that were asked for. */
  personal: Map<string, Bitset>;
}

const knownSets = new WeakMap<RecordValues, KnownSets>();
const personalKept = 6;

/** Which families a caller reaches at which level (records 2); the same facts as the access service gathers. */
export class Visibility {
  readonly #values: RecordValues;
  readonly #caller: Caller;
  readonly #given: Given;
  readonly #levels = new Map<number, Level>();
  readonly #owner: number | undefined;

  constructor(values: RecordValues, caller: Caller, given: Given) {
    this.#values = values;
    this.#caller = caller;
    this.#given = given;
    this.#owner = caller.userId === null ? undefined : values.owners.find(caller.userId);
    for (const [parentId, level] of given.levels) {
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
    const told = asLevel(values.levels.words[values.viewerLevel[doc] ?? -1] ?? "none");
    return isAtLeast(told, needed) || isAtLeast(this.#levels.get(values.parent[doc] ?? -1) ?? "none", needed);
  }

  /** Nobody in particular: such callers see the same. */
  get #isPublic(): boolean {
    const { userId, roles, linkTokens } = this.#caller;
    return userId === null && roles.size === 0 && linkTokens.length === 0 && this.#given.levels.size === 0;
  }

  /** All that a set depends on besides the documents. */
  get #whoAsks(): string {
    const { userId, roles } = this.#caller;
    const { levels, reviewed } = this.#given;
    return JSON.stringify([userId, [...roles].sort(), [...levels].sort(), [...reviewed].sort()]);
  }

  /** A set that was made before, for as long as nothing it depends on has changed. */
  #kept(name: string, make: () => Bitset): Bitset {
    const { generation } = this.#values;
    let known = knownSets.get(this.#values);
    if (known?.generation !== generation) known = { generation, shared: new Map(), personal: new Map() };
    knownSets.set(this.#values, known);
    const sets = this.#isPublic ? known.shared : known.personal;
    const key = this.#isPublic ? name : `${name} ${this.#whoAsks}`;
    const set = sets.get(key) ?? make();
    sets.delete(key);
    sets.set(key, set);
    for (const oldest of known.personal.keys()) {
      if (known.personal.size <= personalKept) break;
      known.personal.delete(oldest);
    }
    return set;
  }

  /** Not to be changed. Published, not deleted, readable; only the latest versions unless all are wanted (search 1). */
  published(allVersions: boolean): Bitset {
    const wanted = flag.live | (allVersions ? 0 : flag.latest);
    return this.#kept(`published ${allVersions}`, () =>
      this.#collect((doc, flags) => {
        if ((flags & (wanted | flag.draft)) !== wanted) return false;
        return (flags & flag.public) !== 0 || this.has(doc, "view");
      }),
    );
  }

  /** Not to be changed. Drafts and records that the caller can edit; one with an open draft appears as that draft (search 1). */
  editable(allVersions: boolean, isShared: boolean | undefined): Bitset {
    return this.#kept(`editable ${allVersions} ${isShared}`, () =>
      this.#collect((doc, flags) => {
        if ((flags & flag.live) === 0 || (flags & flag.hasDraft) !== 0) return false;
        if (!allVersions && (flags & flag.latestDraft) === 0) return false;
        if (isShared !== undefined && this.isOwn(doc) === isShared) return false;
        return this.has(doc, "edit") || this.#given.reviewed.has(this.#values.ids[doc] ?? "");
      }),
    );
  }

  /** Not to be changed. Those whose files the caller may list. */
  readableFiles(): Bitset {
    return this.#kept("files", () =>
      this.#collect((doc, flags) => {
        if ((flags & flag.publicFiles) !== 0) return true;
        if (this.#given.reviewed.has(this.#values.ids[doc] ?? "")) return true;
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
