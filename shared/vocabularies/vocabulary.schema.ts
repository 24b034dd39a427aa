/** Text in several languages: language code → text. */
export type LocalisedText = Record<string, string>;

/** Every vocabulary that has entries (records 8.5): the generic ones, then those with a path of their own. */
export const genericVocabularyTypes = [
  "resourcetypes",
  "licenses",
  "languages",
  "titletypes",
  "descriptiontypes",
  "datetypes",
  "relationtypes",
  "creatorsroles",
  "contributorsroles",
  "removalreasons",
  "code:programmingLanguages",
  "code:developmentStatus",
] as const;
export const namedVocabularyTypes = ["affiliations", "names", "subjects", "funders", "awards"] as const;
export const vocabularyTypes = [...genericVocabularyTypes, ...namedVocabularyTypes] as const;

export type NamedVocabularyType = (typeof namedVocabularyTypes)[number];
export type VocabularyType = (typeof vocabularyTypes)[number];

/** An identifier of an entry, such as a ROR id or an ORCID. */
export interface EntryIdentifier {
  scheme: string;
  identifier: string;
}

/**
 * One entry of any vocabulary. `id` always exists; a generic entry has `title`, an affiliation or funder `name`, a
 * subject `subject`, an award `number`; the other fields depend on the type (records 8.5).
 */
export interface VocabularyEntry {
  id: string;
  title?: LocalisedText;
  description?: LocalisedText;
  icon?: string;
  props?: Record<string, string>;
  tags?: string[];
  name?: string;
  acronym?: string;
  given_name?: string;
  family_name?: string;
  country?: string;
  identifiers?: EntryIdentifier[];
  affiliations?: { id?: string; name?: string }[];
  subject?: string;
  scheme?: string;
  number?: string;
  funder?: { id: string; name?: string };
}

/** Finds an entry synchronously, for validation and presentation. */
export interface EntryLookups {
  findEntry(type: VocabularyType, id: string): VocabularyEntry | undefined;
}

/** Identifies an entry. */
export interface EntryReference {
  type: VocabularyType;
  id: string;
}
