import { developmentStatuses, programmingLanguages } from "./entries/code.ts";
import { fieldsOfScience } from "./entries/fields-of-science.ts";
import { languages } from "./entries/languages.ts";
import { licenses } from "./entries/licenses.ts";
import { affiliations, funders } from "./entries/organisations.ts";
import { relationTypes } from "./entries/relation-types.ts";
import { resourceTypes } from "./entries/resource-types.ts";
import { roles } from "./entries/roles.ts";
import { dateTypes, descriptionTypes, removalReasons, titleTypes } from "./entries/types-and-reasons.ts";
import type { VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

const sources: Record<VocabularyType, () => VocabularyEntry[]> = {
  resourcetypes: resourceTypes,
  licenses,
  languages,
  titletypes: titleTypes,
  descriptiontypes: descriptionTypes,
  datetypes: dateTypes,
  relationtypes: relationTypes,
  creatorsroles: roles,
  contributorsroles: roles,
  removalreasons: removalReasons,
  "code:programmingLanguages": programmingLanguages,
  "code:developmentStatus": developmentStatuses,
  affiliations,
  names: () => [],
  subjects: fieldsOfScience,
  funders,
  awards: () => [],
};

const loaded = new Map<VocabularyType, Map<string, VocabularyEntry>>();

function entriesOf(type: VocabularyType): Map<string, VocabularyEntry> {
  const known = loaded.get(type);
  if (known) return known;
  const entries = new Map(sources[type]().map((entry) => [entry.id, entry]));
  loaded.set(type, entries);
  return entries;
}

/** An entry that comes with Carrel (records 8.5). The first call for a type builds its table. */
export const findShippedEntry = (type: VocabularyType, id: string): VocabularyEntry | undefined =>
  entriesOf(type).get(id);

/** All entries that come with Carrel. */
export const listShippedEntries = (type: VocabularyType): VocabularyEntry[] => [...entriesOf(type).values()];
