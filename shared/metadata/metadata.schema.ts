import type { Problem } from "../kernel/failure.ts";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import {
  type AnyField,
  type Check,
  type ExpandedOf,
  list,
  object,
  readPresent,
  required,
  type SearchedPaths,
  searched,
  type ValueOf,
} from "./field.schema.ts";
import { contributors, creators } from "./fields/creators.schema.ts";
import { dates, publicationDate } from "./fields/dates.schema.ts";
import { additionalDescriptions, description } from "./fields/descriptions.schema.ts";
import { funding } from "./fields/funding.schema.ts";
import { identifiers, references, relatedIdentifiers } from "./fields/identifiers.schema.ts";
import { locations } from "./fields/locations.schema.ts";
import { copyright, rights } from "./fields/rights.schema.ts";
import { subjects } from "./fields/subjects.schema.ts";
import { additionalTitles, title } from "./fields/titles.schema.ts";
import { text } from "./text.schema.ts";
import { vocabularyValue } from "./vocabulary-value.schema.ts";

/** The table of records 8. Whatever depends on a field is derived from its line here. */
const fields = {
  resource_type: searched(required(vocabularyValue("resourcetypes")), {
    "metadata.resource_type.props.type": { kind: "keyword" },
    "metadata.resource_type.props.subtype": { kind: "keyword" },
  }),
  title: required(title),
  publication_date: required(publicationDate),
  creators: required(creators),
  contributors,
  additional_titles: additionalTitles,
  description,
  additional_descriptions: additionalDescriptions,
  publisher: searched(text(), {
    "metadata.publisher": { kind: "text", bareWords: { weight: 1, column: 14 } },
    "metadata.publisher.keyword": { kind: "keyword" },
  }),
  version: searched(text({ max: 191 }), { "metadata.version": { kind: "keyword", bareWords: "shared" } }),
  languages: list(vocabularyValue("languages")),
  subjects,
  dates,
  rights,
  copyright,
  identifiers,
  related_identifiers: relatedIdentifiers,
  references,
  sizes: searched(list(text({ blankMessage: "Size cannot be a blank string." })), {
    "metadata.sizes": { kind: "keyword" },
  }),
  formats: searched(list(text({ blankMessage: "Format cannot be a blank string." })), {
    "metadata.formats": { kind: "keyword", bareWords: "shared" },
  }),
  locations,
  funding,
};

/** The whole table as one value. */
export const metadataField = object(fields);

/** What stored metadata says in fields that this program does not know: a newer one wrote them, and they are kept. */
export const newerFields = (stored: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).filter(([key]) => !Object.hasOwn(fields, key)));

/** How metadata is searched, in the order of the table. */
export const searchedMetadata: SearchedPaths = Object.fromEntries(
  Object.values<AnyField>(fields).flatMap(({ searched: paths }) => Object.entries(paths ?? {})),
);

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

/**
 * Lists the vocabulary entries that a validation looks up, so that they can be loaded beforehand.
 * @param onMarkup gets every text that would be cleaned.
 */
export function referencesIn(
  validate: (lookups: MetadataLookups) => void,
  onMarkup: (html: string) => void = () => {},
): EntryReference[] {
  const found = new Map<string, EntryReference>();
  validate({
    cleanHtml(html) {
      onMarkup(html);
      return "";
    },
    findEntry: (type, id) => {
      found.set(`${type}:${id}`, { type, id });
      return { id };
    },
  });
  return [...found.values()];
}

/** Every entry that sent or stored metadata names. */
export const collectVocabularyIds = (input: unknown, onMarkup?: (html: string) => void): EntryReference[] =>
  referencesIn((lookups) => validateMetadata(input, lookups), onMarkup);
