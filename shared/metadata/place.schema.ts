import { normalForm } from "../kernel/normal-form.ts";

/**
 * The kind of value at a place of a draft's document:
 * `text` a `Y.Text`, merged by character; `scalar` one plain value; `ref` a plain `{id}`; `value` plain JSON replaced
 * whole; `object` a `Y.Map` with these fields; `open` a `Y.Map` of names to plain JSON; `list` a `Y.Map` of items by key.
 * In an `open` place with `mergesMembers`, each member of an object is a name of its own (`open-members.ts`).
 */
export type Place = TextPlace | ScalarPlace | RefPlace | ValuePlace | ObjectPlace | OpenPlace | ListPlace;
interface TextPlace {
  kind: "text";
}
export interface ScalarPlace {
  kind: "scalar";
  type: "string" | "boolean";
  nullable?: boolean;
  oneOf?: readonly string[];
}
interface RefPlace {
  kind: "ref";
}
interface ValuePlace {
  kind: "value";
}
export interface ObjectPlace {
  kind: "object";
  fields: Readonly<Record<string, Place>>;
  /** Fields that must be present. */
  required?: readonly string[];
}
export interface OpenPlace {
  kind: "open";
  mergesMembers?: boolean;
}
export interface ListPlace {
  kind: "list";
  /** The fields of an item, or `word` for a list of texts. */
  item: ObjectPlace | "word";
  /** The names of an item, best first. Two items that two users added under one name are the same item. */
  namesOf: ItemNames;
  /** Whether an item stays the same when its name changes (a creator whose name was misspelt). */
  renames: boolean;
}
export type ItemNames = (item: unknown) => string[];

export const textPlace: TextPlace = { kind: "text" };
export const linePlace: ScalarPlace = { kind: "scalar", type: "string" };
export const refPlace: RefPlace = { kind: "ref" };
export const valuePlace: ValuePlace = { kind: "value" };

export const objectPlace = (
  fields: Readonly<Record<string, Place>>,
  required: readonly string[] = [],
): ObjectPlace => ({
  kind: "object",
  fields,
  required,
});

const listPlace = (item: ListPlace["item"], namesOf: ItemNames, renames: boolean): ListPlace => ({
  kind: "list",
  item,
  namesOf,
  renames,
});

/** A member of an item; undefined when the item is no object. */
export const part = (item: unknown, key: string): unknown =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>)[key] : undefined;
/** The item if it is a text, else the empty text. */
export const word = (item: unknown): string => (typeof item === "string" ? item : "");
/** Normalizes case, width and spaces. */
export const fold = (text: string): string => normalForm(text, "NFKC").trim().toLowerCase().replace(/\s+/g, " ");

/** `key:value` for each of `keys` that the item has as text. */
export const namedBy =
  (...keys: string[]): ItemNames =>
  (item) =>
    keys.filter((key) => word(part(item, key)) !== "").map((key) => `${key}:${fold(word(part(item, key)))}`);

/** The name of an item without a better one: its whole content. */
const wholeItem: ItemNames = (item) => [`=${JSON.stringify(item)}`];

export const wordsPlace = listPlace("word", (item) => [`word:${word(item)}`], false);

/** How a merge of drafts recognizes the items of a list. */
export interface ItemIdentity {
  namesOf?: ItemNames;
  renames?: boolean;
}

/**
 * The place of a list with items of kind `item`. Objects are merged item by item; a vocabulary entry is recognized by its
 * id. A list of other values than objects and texts is replaced as a whole.
 */
export function listOfPlace(item: Place, { namesOf = wholeItem, renames = true }: ItemIdentity): Place {
  if (item.kind === "object") return listPlace(item, namesOf, renames);
  if (item.kind === "ref") return listPlace(objectPlace({ id: linePlace }), namedBy("id"), false);
  return item.kind === "scalar" ? wordsPlace : valuePlace;
}
