import { isoTime } from "../kernel/timestamps.ts";
import {
  genericVocabularyTypes,
  type NamedVocabularyType,
  type VocabularyEntry,
  type VocabularyType,
} from "./vocabulary.schema.ts";

interface Presented {
  entry: VocabularyEntry;
  created: number;
  updated: number;
  revision_id: number;
}

/** The path of a vocabulary's list. */
export const vocabularyPath = (type: VocabularyType): string =>
  genericVocabularyTypes.some((generic) => generic === type) ? `/api/vocabularies/${type}` : `/api/${type}`;

const keysOfNamed: Record<NamedVocabularyType, readonly (keyof VocabularyEntry)[]> = {
  affiliations: ["id", "name", "acronym", "country", "identifiers", "title"],
  names: ["id", "name", "given_name", "family_name", "identifiers", "affiliations"],
  subjects: ["id", "subject", "scheme", "title", "props"],
  funders: ["id", "name", "acronym", "country", "identifiers", "title"],
  awards: ["id", "number", "title", "acronym", "funder", "identifiers"],
};

/** Lists that are shown even when they are empty. */
const emptyLists: Record<NamedVocabularyType, Partial<VocabularyEntry>> = {
  affiliations: { identifiers: [] },
  names: { identifiers: [], affiliations: [] },
  subjects: {},
  funders: { identifiers: [] },
  awards: {},
};

function contentOf(type: VocabularyType, entry: VocabularyEntry): Record<string, unknown> {
  const { id, title = {}, description, icon, props = {}, tags = [] } = entry;
  if (!Object.hasOwn(keysOfNamed, type)) {
    return { id, type, title, ...(description ? { description } : {}), ...(icon ? { icon } : {}), props, tags };
  }
  const named = type as NamedVocabularyType;
  const present = keysOfNamed[named].filter((key) => entry[key] !== undefined).map((key) => [key, entry[key]]);
  return { ...emptyLists[named], ...Object.fromEntries(present) };
}

/** The JSON of an entry (records 8.5). */
export function presentEntry(type: VocabularyType, stored: Presented, baseUrl: string): Record<string, unknown> {
  const { entry, created, updated, revision_id } = stored;
  return {
    ...contentOf(type, entry),
    created: isoTime(created),
    updated: isoTime(updated),
    revision_id,
    links: { self: `${baseUrl}${vocabularyPath(type)}/${encodeURIComponent(entry.id)}` },
  };
}
