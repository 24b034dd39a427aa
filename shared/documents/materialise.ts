import * as Y from "yjs";
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import type { ListPlace, Place } from "../metadata/place.schema.ts";
import { canonical, canonicalAt, type DraftInput } from "./draft-input.ts";
import { itemPlace, layout, positionKey, rootName, wordKey } from "./layout.ts";
import { namesOf } from "./open-members.ts";
import { touchedBy } from "./touched.ts";

/** The document as the body of a PUT, in canonical form. Equal on all replicas with the same updates. */
export const toInput = (doc: Y.Doc): DraftInput => canonical(plainOf(layout, doc.getMap(rootName)));

/** An item of a list in the document. */
export interface Entry {
  key: string;
  item: Y.Map<unknown>;
  position: string | undefined;
}

/** The items of a list in order: by position, items without one last, ties by key. */
export function entriesOf(list: Y.Map<unknown>): Entry[] {
  const entries: Entry[] = [];
  for (const [key, item] of list.entries()) {
    if (!(item instanceof Y.Map)) continue;
    const position: unknown = item.get(positionKey);
    entries.push({ key, item, position: typeof position === "string" ? position : undefined });
  }
  return entries.sort((a, b) => compare(a.position ?? "~", b.position ?? "~") || compare(a.key, b.key));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The value at a place as plain JSON, with lists as ordered arrays. Not canonical yet. */
export function plainOf(place: Place, found: unknown): unknown {
  if (place.kind === "text") return found instanceof Y.Text ? found.toString() : undefined;
  if (place.kind === "list")
    return found instanceof Y.Map ? entriesOf(found).map(({ item }) => plainItem(place, item)) : [];
  if (place.kind !== "object") return found instanceof Y.Map ? found.toJSON() : found;
  const plain: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(place.fields)) plain[key] = plainOf(field, memberOf(found, key));
  return plain;
}

/** One item of a list as plain JSON. */
export const plainItem = (list: ListPlace, item: Y.Map<unknown>): unknown =>
  list.item === "word" ? item.get(wordKey) : plainOf(list.item, item);

const memberOf = (found: unknown, key: string): unknown => {
  if (found instanceof Y.Map) return found.get(key);
  return isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
};

/** The document with lists as objects by item key, without order. Edits are compared in this form. */
export const keyedDraft = (doc: Y.Doc): JsonObject => new KeyedReader(doc).read();

/** Reads a document as `keyedDraft` does, before and after edits. Reads untouched parts only once. */
export class KeyedReader {
  readonly #doc: Y.Doc;
  readonly #known = new Map<unknown, Json | undefined>();
  readonly #keys = new Map<unknown, string[]>();

  constructor(doc: Y.Doc) {
    this.#doc = doc;
    doc.on("afterTransaction", (transaction: Y.Transaction) => {
      for (const type of touchedBy(transaction)) this.#known.delete(type);
    });
  }

  read(): JsonObject {
    return (this.#keyedOf(layout, this.#doc.getMap(rootName)) ?? {}) as JsonObject;
  }

  /** Whether a type is unchanged since it was read. */
  isAsRead(type: unknown): boolean {
    return this.#known.has(type);
  }

  /** The keys of a list in the order at the time of reading. */
  keysAsRead(list: unknown): string[] {
    return this.#keys.get(list) ?? [];
  }

  #keyedOf(place: Place, found: unknown): Json | undefined {
    if (this.#known.has(found)) return this.#known.get(found);
    const keyed = this.#read(place, found);
    if (found instanceof Y.AbstractType) this.#known.set(found, keyed);
    return keyed;
  }

  /** Like `plainOf`, with lists by key. Empty texts, lists and objects are undefined; an empty item is not. */
  #read(place: Place, found: unknown): Json | undefined {
    if (place.kind === "object") {
      const keyed = this.#fields(place.fields, found);
      return Object.keys(keyed).length === 0 ? undefined : keyed;
    }
    if (place.kind === "open") return namesOf(place, canonicalAt(place, plainOf(place, found)));
    if (place.kind !== "list") return canonicalAt(place, plainOf(place, found));
    if (!(found instanceof Y.Map) || found.size === 0) return undefined;
    const entries = entriesOf(found);
    this.#keys.set(
      found,
      entries.map(({ key }) => key),
    );
    return Object.fromEntries(entries.map(({ key, item }) => [key, this.#item(place, item)]));
  }

  #item(list: ListPlace, item: Y.Map<unknown>): JsonObject {
    const known = this.#known.get(item);
    if (known !== undefined) return known as JsonObject;
    const keyed = this.#fields(itemPlace(list).fields, item);
    this.#known.set(item, keyed);
    return keyed;
  }

  #fields(fields: Readonly<Record<string, Place>>, found: unknown): JsonObject {
    const keyed: JsonObject = {};
    for (const [key, field] of Object.entries(fields)) {
      const member = this.#keyedOf(field, memberOf(found, key));
      if (member !== undefined) keyed[key] = member;
    }
    return keyed;
  }
}

/** A keyed value as plain JSON: lists as arrays in the order of their keys, list items of texts as text. */
export function plainOfKeyed(place: Place, keyed: Json | undefined): Json | undefined {
  if (!isObject(keyed)) return keyed;
  if (place.kind === "list") {
    const items = Object.values(keyed as JsonObject);
    if (place.item === "word")
      return items.map((item) => (isObject(item) ? (item as JsonObject)[wordKey] : item) ?? null);
    const item = place.item;
    return items.map((keyedItem) => plainOfKeyed(item, keyedItem) ?? null);
  }
  if (place.kind !== "object") return keyed as JsonObject;
  if (place.required?.includes(wordKey)) return (keyed as JsonObject)[wordKey];
  const plain: JsonObject = {};
  for (const [key, field] of Object.entries(place.fields)) {
    const member = plainOfKeyed(field, (keyed as JsonObject)[key]);
    if (member !== undefined) plain[key] = member;
  }
  return plain;
}
