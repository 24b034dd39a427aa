import { workSchemes } from "../identifiers/scheme.schema.ts";
import type { Problem } from "../kernel/failure.ts";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import { contributors, creators } from "./metadata/creators.schema.ts";
import { edtf } from "./metadata/edtf.schema.ts";
import {
  type Check,
  type ExpandedOf,
  list,
  object,
  presented,
  readPresent,
  report,
  required,
  type ValueOf,
} from "./metadata/field.schema.ts";
import { funding } from "./metadata/funding.schema.ts";
import { identified, identifier, noDuplicates } from "./metadata/identifiers.schema.ts";
import { locations } from "./metadata/locations.schema.ts";
import { rights } from "./metadata/rights.schema.ts";
import { html, text } from "./metadata/text.schema.ts";
import { entryId, vocabularyValue } from "./metadata/vocabulary-value.schema.ts";

const additionalTitle = object({
  title: required(text({ min: 3 })),
  type: required(vocabularyValue("titletypes")),
  lang: vocabularyValue("languages"),
});

const additionalDescription = object({
  description: required(html({ min: 3 })),
  type: required(vocabularyValue("descriptiontypes")),
  lang: vocabularyValue("languages"),
});

const date = object({
  date: required(edtf({ mayHaveTime: true })),
  type: required(vocabularyValue("datetypes")),
  description: text(),
});

const subjectObject = object(
  { id: entryId("subjects"), subject: text() },
  {
    ignored: ["scheme", "title", "props"],
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, subject }, path, check) => {
      if (!id && !subject) report(check, path, "An existing id or a free text subject must be present.");
    },
  },
);

const subject = presented(subjectObject, (value, lookups): ValueOf<typeof subjectObject> & { scheme?: string } => {
  const entry = value.id === undefined ? undefined : lookups.findEntry("subjects", value.id);
  if (!entry) return { ...value };
  const { subject: name, scheme } = entry;
  return { ...value, ...(name ? { subject: name } : {}), ...(scheme ? { scheme } : {}) };
});

const relatedIdentifier = identified(workSchemes, {
  relation_type: required(vocabularyValue("relationtypes")),
  resource_type: vocabularyValue("resourcetypes"),
});

const reference = identified(
  workSchemes,
  { reference: required(text({ blankMessage: "Reference cannot be a blank string." })) },
  { isOptional: true },
);

/** The whole table of records 8. */
export const metadataField = object({
  resource_type: required(vocabularyValue("resourcetypes")),
  title: required(text({ min: 3 })),
  publication_date: required(edtf({ mayHaveTime: false })),
  creators: required(creators),
  contributors,
  additional_titles: list(additionalTitle),
  description: html({ min: 3 }),
  additional_descriptions: list(additionalDescription),
  publisher: text(),
  version: text({ max: 191 }),
  languages: list(vocabularyValue("languages")),
  subjects: list(subject),
  dates: list(date),
  rights,
  copyright: html({ min: 1 }),
  identifiers: list(identifier(workSchemes), { rule: noDuplicates }),
  related_identifiers: list(relatedIdentifier),
  references: list(reference),
  sizes: list(text({ blankMessage: "Size cannot be a blank string." })),
  formats: list(text({ blankMessage: "Format cannot be a blank string." })),
  locations,
  funding,
});

/** The stored form: input form, normalised, vocabulary values as `{id}` alone. Of a draft any part may be absent. */
export type Metadata = ValueOf<typeof metadataField>;
/** The output form: titles, names and the like of vocabulary entries added. */
export type ExpandedMetadata = ExpandedOf<typeof metadataField>;

/** What validation needs from outside. */
export interface MetadataLookups extends EntryLookups {
  /** The cleaner of `html-cleaner.ts`, or the browser's. */
  cleanHtml(html: string): string;
}

/** What became of input that is never refused as a whole (records 3.3). */
export interface Checked<Value> {
  value: Value;
  /** The `errors` of a 200 or 201, or of a refused publish. */
  problems: Problem[];
  /** Not empty: 400, `message` = the first message here (`Invalid value …`), nothing stored. */
  unknownEntries: Problem[];
}

/** Reads sent metadata (records 3.3, 8). Absent metadata is the caller's case: this reports required fields. */
export function validateMetadata(input: unknown, lookups: MetadataLookups): Checked<Metadata> {
  const check: Check = { ...lookups, problems: [], unknownEntries: [] };
  const value = readPresent(metadataField, input, "metadata", check) ?? {};
  return { value, problems: check.problems, unknownEntries: check.unknownEntries };
}

/** The output form of stored metadata (records 8). Sending it back stores the same value again. */
export const expandMetadata = (value: Metadata, lookups: EntryLookups): ExpandedMetadata =>
  metadataField.expand(value, lookups);

/** Every entry that sent or stored metadata names, so that those of the database can be loaded beforehand. */
export function collectVocabularyIds(input: unknown): EntryReference[] {
  const found = new Map<string, EntryReference>();
  validateMetadata(input, {
    cleanHtml: () => "",
    findEntry: (type, id) => {
      found.set(`${type}:${id}`, { type, id });
      return { id };
    },
  });
  return [...found.values()];
}
