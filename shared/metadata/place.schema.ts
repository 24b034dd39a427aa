import { normalForm } from "../kernel/normal-form.ts";

/**
 * What stands at a place of a draft's document:
 * `text` a `Y.Text`, merged by character; `scalar` one plain value; `ref` a plain `{id}`; `value` plain JSON replaced
 * whole; `object` a `Y.Map` with these fields; `open` a `Y.Map` of names to plain JSON; `list` a `Y.Map` of items by key.
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
  /** Fields that must be there. */
  required?: readonly string[];
}
interface OpenPlace {
  kind: "open";
}
export interface ListPlace {
  kind: "list";
  /** Fields of an item; a list of words has none of its own. */
  item: ObjectPlace | "word";
  /** By what an item is known, best first: two items added on two sides under one name are one item. */
  namesOf: ItemNames;
  /** True when an item may change its name and stay the same item (a creator whose name was misspelt). */
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

/** The member of an item, undefined when the item is no object. */
export const part = (item: unknown, key: string): unknown =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>)[key] : undefined;
/** A text, or the empty one. */
export const word = (item: unknown): string => (typeof item === "string" ? item : "");
/** A text without differences of case, width and spaces. */
export const fold = (text: string): string => normalForm(text, "NFKC").trim().toLowerCase().replace(/\s+/g, " ");

/** `key:value` for each of `keys` that the item has as text. */
export const namedBy =
  (...keys: string[]): ItemNames =>
  (item) =>
    keys.filter((key) => word(part(item, key)) !== "").map((key) => `${key}:${fold(word(part(item, key)))}`);

/** An item without a name of its own is known by all that it says. */
const wholeItem: ItemNames = (item) => [`=${JSON.stringify(item)}`];

export const wordsPlace = listPlace("word", (item) => [`word:${word(item)}`], false);

/** How the items of a list are told apart when drafts are merged. */
export interface ItemIdentity {
  namesOf?: ItemNames;
  renames?: boolean;
}

/**
 * The place of a list whose items stand at `item` each. Objects are merged item by item; a vocabulary entry is known by
 * its id. A list of anything that is neither object nor word is replaced as a whole.
 */
export function listOfPlace(item: Place, { namesOf = wholeItem, renames = true }: ItemIdentity): Place {
  if (item.kind === "object") return listPlace(item, namesOf, renames);
  if (item.kind === "ref") return listPlace(objectPlace({ id: linePlace }), namedBy("id"), false);
  return item.kind === "scalar" ? wordsPlace : valuePlace;
}
