import { z } from "zod";
import { address, isoTime, listOf, localised, revision } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const common = {
  id: z.string(),
  created: isoTime,
  updated: isoTime,
  revision_id: revision,
  links: z.object({ self: address }),
  title_l10n: z.string().optional().describe("With `Accept: application/vnd.inveniordm.v1+json`"),
  description_l10n: z.string().optional().describe("As `title_l10n`"),
};
const identifiers = z.array(z.object({ scheme: z.string(), identifier: z.string() }));
const title = localised.optional();

export const vocabularyEntry = named(
  "VocabularyEntry",
  "An entry of a vocabulary of fixed words.",
  z.object({
    ...common,
    type: z.string(),
    title: localised,
    description: localised.optional(),
    icon: z.string().optional(),
    props: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
  }),
);

const organisation = {
  ...common,
  name: z.string(),
  acronym: z.string().optional(),
  country: z.string().optional(),
  identifiers,
  title,
};

/** Entries of the vocabularies that have a path of their own. */
export const vocabularyShapes = {
  affiliations: named("Affiliation", "An institution.", z.object(organisation)),
  names: named(
    "Name",
    "A person who may be named as creator.",
    z.object({
      ...common,
      name: z.string(),
      given_name: z.string().optional(),
      family_name: z.string().optional(),
      identifiers,
      affiliations: z.array(z.object({ id: z.string().optional(), name: z.string().optional() })),
    }),
  ),
  subjects: named(
    "Subject",
    "A term of a subject scheme.",
    z.object({
      ...common,
      subject: z.string(),
      scheme: z.string().optional(),
      title,
      props: z.record(z.string(), z.string()).optional(),
    }),
  ),
  funders: named("Funder", "Who pays for research.", z.object(organisation)),
  awards: named(
    "Award",
    "A grant of a funder.",
    z.object({
      ...common,
      number: z.string().optional(),
      title,
      acronym: z.string().optional(),
      funder: z.object({ id: z.string(), name: z.string().optional() }).optional(),
      identifiers: identifiers.optional(),
    }),
  ),
};

interface VocabularyShapes {
  one: z.ZodType;
  list: z.ZodType;
}

/** Entry and list of the vocabularies of fixed words (records 8.5). */
export const genericVocabulary: VocabularyShapes = {
  one: vocabularyEntry,
  list: named("VocabularyEntryList", "A page of a vocabulary.", listOf(vocabularyEntry, { showsPage: true })),
};

/** Entry and list of each vocabulary that has a path of its own. */
export const namedVocabularies: [type: string, VocabularyShapes][] = Object.entries(vocabularyShapes).map(
  ([type, one]) => {
    const name = `${type.charAt(0).toUpperCase()}${type.slice(1, -1)}List`;
    return [type, { one, list: named(name, `A page of ${type}.`, listOf(one, { showsPage: true })) }];
  },
);
