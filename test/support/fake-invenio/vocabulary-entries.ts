import { findShippedEntry, listShippedEntries } from "../../../shared/vocabularies/shipped-entries.ts";
import type { VocabularyEntry, VocabularyType } from "../../../shared/vocabularies/vocabulary.schema.ts";
import { isObject, type Json, listOf, objectOf } from "./call.ts";

/** A name of the kind of a site's own vocabulary. */
const names: VocabularyEntry[] = [
  {
    id: "0000-0002-1825-0097",
    name: "Carberry, Josiah",
    given_name: "Josiah",
    family_name: "Carberry",
    identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
    affiliations: [{ name: "Brown University" }],
  },
];

/** Entries of a vocabulary as the site has them. */
export const entriesOf = (type: string, version: number): VocabularyEntry[] =>
  type === "names"
    ? names
    : listShippedEntries(type as VocabularyType).filter(({ id }) => !(version >= 14 && id === "publication-thesis"));

interface Place {
  type: VocabularyType;
  /** What the site adds to a value with an id when it shows it. */
  shown: (entry: VocabularyEntry, value: Json) => Json;
}

const titled = (type: VocabularyType): Place => ({ type, shown: ({ title }, { id }) => ({ id, title }) });
const named = (type: VocabularyType): Place => ({
  type,
  // An affiliation's own name gives way to the vocabulary's (F6); its identifiers are derived (F4).
  shown: ({ id, name, identifiers }) => ({ id, name, ...(type === "affiliations" ? { identifiers } : {}) }),
});
const role = { creators: "creatorsroles", contributors: "contributorsroles" } as const;

/** Where a value of a vocabulary stands: the path of its parents, indexes left out. */
function placeOf(path: string): Place | undefined {
  const [, list] = /^(creators|contributors)\.role$/.exec(path) ?? [];
  if (list) return titled(role[list as keyof typeof role]);
  if (/^(creators|contributors)\.affiliations$/.test(path)) return named("affiliations");
  switch (path) {
    case "resource_type":
    case "related_identifiers.resource_type":
      return titled("resourcetypes");
    case "languages":
    case "additional_titles.lang":
    case "additional_descriptions.lang":
      return titled("languages");
    case "additional_titles.type":
      return titled("titletypes");
    case "additional_descriptions.type":
      return titled("descriptiontypes");
    case "dates.type":
      return titled("datetypes");
    case "related_identifiers.relation_type":
      return titled("relationtypes");
    case "funding.funder":
      return named("funders");
    case "subjects":
      return { type: "subjects", shown: ({ id, subject, scheme }) => ({ id, subject, scheme }) };
    case "rights":
      return {
        type: "licenses",
        shown: ({ id, title, description, props, icon }) => ({ id, title, description, props, icon }),
      };
    default:
      return undefined;
  }
}

function visit(value: unknown, path: string, on: (value: Json, place: Place) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => visit(each, path, on));
  if (!isObject(value)) return value;
  const place = placeOf(path);
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, visit(part, path === "" ? key : `${path}.${key}`, on)]),
  );
  return place && typeof value.id === "string" ? on(inner, place) : inner;
}

/** The first id that the site's vocabularies lack: such a save is refused whole (F5). */
export function unknownEntry(metadata: Json, version: number): string | undefined {
  let unknown: string | undefined;
  visit(metadata, "", (value, { type }) => {
    const id = String(value.id);
    if (!findShippedEntry(type, id) || (type === "resourcetypes" && version >= 14 && id === "publication-thesis"))
      unknown ??= id;
    return value;
  });
  return unknown;
}

const withoutUndefined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));

/** The metadata with what the site derives from its vocabularies. */
export const titlesOf = (metadata: Json): Json =>
  objectOf(
    visit(metadata, "", (value, { type, shown }) => {
      const entry = findShippedEntry(type, String(value.id));
      return entry ? withoutUndefined(shown(entry, value)) : value;
    }),
  );

export const textOf = (entry: VocabularyEntry): string =>
  [entry.id, ...Object.values(entry.title ?? {}), entry.name, entry.subject, entry.acronym, ...listOf(entry.tags)]
    .join(" ")
    .toLowerCase();
