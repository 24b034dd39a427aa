import { normalForm } from "../kernel/normal-form.ts";
import { isObject } from "./json.ts";

/** Name of the root `Y.Map` (hosts-and-sync 8, Live document). */
export const rootName = "draft";
/** The root's keys: exactly these. */
export const rootKeys = ["metadata", "custom_fields", "access", "pids", "files"] as const;
/** Where an item of a list keeps its place: a fraction in base 62 (see position.ts). */
export const positionKey = "_p";
/** Where an item of a list of words (sizes, formats, order) keeps the word. */
export const wordKey = "value";

/**
 * What stands at a place of the document:
 * `text` a `Y.Text`, merged by character; `scalar` one plain value; `ref` a plain `{id}`; `value` plain JSON replaced
 * whole; `object` a `Y.Map` with these fields; `open` a `Y.Map` of names to plain JSON; `list` a `Y.Map` of items by key.
 */
export type Place = TextPlace | ScalarPlace | RefPlace | ValuePlace | ObjectPlace | OpenPlace | ListPlace;
export interface TextPlace {
  kind: "text";
}
export interface ScalarPlace {
  kind: "scalar";
  type: "string" | "boolean";
  nullable?: boolean;
  oneOf?: readonly string[];
}
export interface RefPlace {
  kind: "ref";
}
export interface ValuePlace {
  kind: "value";
}
export interface ObjectPlace {
  kind: "object";
  fields: Readonly<Record<string, Place>>;
  /** Fields that must be there. */
  required?: readonly string[];
}
export interface OpenPlace {
  kind: "open";
}
export interface ListPlace {
  kind: "list";
  /** Fields of an item; a list of words has none of its own. */
  item: ObjectPlace | "word";
  /** By what an item is known, best first: two items added on two sides under one name are one item. */
  namesOf: (item: unknown) => string[];
  /** True when an item may change its name and stay the same item (a creator whose name was misspelt). */
  renames: boolean;
}

const text: TextPlace = { kind: "text" };
const line: ScalarPlace = { kind: "scalar", type: "string" };
const flag: ScalarPlace = { kind: "scalar", type: "boolean" };
const orNull = { kind: "scalar", type: "string", nullable: true } as const;
const ref: RefPlace = { kind: "ref" };
const value: ValuePlace = { kind: "value" };
const object = (fields: Record<string, Place>, required: string[] = []): ObjectPlace => ({
  kind: "object",
  fields,
  required,
});
const visibility: ScalarPlace = { ...line, oneOf: ["public", "restricted"] };

const part = (item: unknown, key: string): unknown => (isObject(item) ? item[key] : undefined);
const word = (item: unknown): string => (typeof item === "string" ? item : "");
const fold = (text: string): string => normalForm(text, "NFKC").trim().toLowerCase().replace(/\s+/g, " ");
/** `key:value` for the first of `keys` that the item has as text. */
const known =
  (...keys: string[]) =>
  (item: unknown): string[] =>
    keys.filter((key) => word(part(item, key)) !== "").map((key) => `${key}:${fold(word(part(item, key)))}`);
const identifierNames = (item: unknown): string[] => {
  const name = fold(word(part(item, "identifier")));
  return name === "" ? [] : [`${fold(word(part(item, "scheme")))}:${name}`];
};
const personNames = (item: unknown): string[] => {
  const person = part(item, "person_or_org");
  const identifiers = part(person, "identifiers");
  const ids = Array.isArray(identifiers) ? identifiers.flatMap(identifierNames).sort() : [];
  const parts = [word(part(person, "family_name")), word(part(person, "given_name"))].filter((name) => name !== "");
  const name = parts.length > 0 ? parts.join(", ") : word(part(person, "name"));
  return name === "" ? ids : [...ids, `name:${fold(name)}`];
};
const whole = (item: unknown): string[] => [`=${JSON.stringify(item)}`];

const list = (item: ObjectPlace | "word", namesOf: ListPlace["namesOf"], renames = false): ListPlace => ({
  kind: "list",
  item,
  namesOf,
  renames,
});
const words = list("word", (item) => [`word:${word(item)}`]);
const identifiers = list(object({ identifier: line, scheme: line }), identifierNames);
const person = object({ type: line, name: line, given_name: line, family_name: line, identifiers });
const affiliations = list(object({ id: line, name: line }), known("id", "name"));
const people = list(object({ person_or_org: person, role: ref, affiliations }), personNames, true);

const metadata = object({
  resource_type: ref,
  title: text,
  publication_date: line,
  creators: people,
  contributors: people,
  additional_titles: list(object({ title: line, type: ref, lang: ref }), whole, true),
  description: text,
  additional_descriptions: list(object({ description: text, type: ref, lang: ref }), whole, true),
  publisher: line,
  version: line,
  languages: list(object({ id: line }), known("id")),
  subjects: list(object({ id: line, subject: line, scheme: line }), known("id", "subject")),
  dates: list(object({ date: line, type: ref, description: line }), whole, true),
  rights: list(object({ id: line, title: value, description: value, link: line }), (item) =>
    part(item, "title") === undefined
      ? known("id")(item)
      : [...known("id")(item), `=${JSON.stringify(part(item, "title"))}`],
  ),
  copyright: line,
  identifiers,
  related_identifiers: list(
    object({ identifier: line, scheme: line, relation_type: ref, resource_type: ref }),
    (item) => identifierNames(item).map((name) => `${word(part(part(item, "relation_type"), "id"))}:${name}`),
    true,
  ),
  references: list(object({ reference: line, identifier: line, scheme: line }), known("reference"), true),
  sizes: words,
  formats: words,
  locations: object({
    features: list(object({ geometry: value, place: line, description: line, identifiers }), whole, true),
  }),
  funding: list(object({ funder: value, award: value }), whole, true),
});

/** The whole document: what a PUT of a draft could send (records 3.2, 6.6, 7.1, 8). */
export const layout: ObjectPlace = object(
  {
    metadata,
    custom_fields: { kind: "open" },
    access: object(
      { record: visibility, files: visibility, embargo: object({ active: flag, until: line, reason: orNull }) },
      ["record", "files"],
    ),
    pids: { kind: "open" },
    files: object({ enabled: flag, default_preview: orNull, order: words }, ["enabled"]),
  },
  [...rootKeys],
);

/** The place at `path` below `from`; a list's item is reached by its key. Undefined when the layout has no such place. */
export function placeAt(path: readonly string[], from: Place = layout): Place | undefined {
  let place: Place | undefined = from;
  for (const key of path) {
    if (place?.kind === "object") place = Object.hasOwn(place.fields, key) ? place.fields[key] : undefined;
    else if (place?.kind === "list") place = itemPlace(place);
    else if (place?.kind === "open") place = value;
    else return undefined;
  }
  return place;
}

const wordItem: ObjectPlace = object({ [wordKey]: line }, [wordKey]);
/** The place of a list's item: of a word, the map that holds it. */
export const itemPlace = (list: ListPlace): ObjectPlace => (list.item === "word" ? wordItem : list.item);
