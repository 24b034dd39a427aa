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

/** The table of records 8. Everything else about a field derives from its line here. New fields go to the end. */
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

/** Fields of stored metadata that this program does not know. A newer program wrote them; they are kept. */
export const newerFields = (stored: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).filter(([key]) => !Object.hasOwn(fields, key)));

/** How metadata is searched, in the order of the table. */
export const searchedMetadata: SearchedPaths = Object.fromEntries(
  Object.values<AnyField>(fields).flatMap(({ searched: paths }) => Object.entries(paths ?? {})),
);

/** The stored form: normalized input with vocabulary values as `{id}`. In a draft, any part may be absent. */
export type Metadata = ValueOf<typeof metadataField>;
/** The output form: the stored form with titles and names of vocabulary entries. */
export type ExpandedMetadata = ExpandedOf<typeof metadataField>;

/** Functions that validation needs. */
export interface MetadataLookups extends EntryLookups {
  /** The cleaner of `html-cleaner.ts`, or the browser's. */
  cleanHtml(html: string): string;
}

/** The result of validation, which keeps the valid part of any input (records 3.3). */
export interface Checked<Value> {
  value: Value;
  /** The `errors` of a 200 or 201, or of a refused publish. */
  problems: Problem[];
  /** If not empty, the answer is 400 with the first of these messages (`Invalid value …`), and nothing is stored. */
  unknownEntries: Problem[];
}

/** Validates metadata of a request (records 3.3, 8). Call it only if there is metadata: it reports required fields. */
export function validateMetadata(input: unknown, lookups: MetadataLookups): Checked<Metadata> {
  const check: Check = { ...lookups, problems: [], unknownEntries: [] };
  const value = readPresent(metadataField, input, "metadata", check) ?? {};
  return { value, problems: check.problems, unknownEntries: check.unknownEntries };
}

/** The output form of stored metadata (records 8). Sending it back stores the same value. */
export const expandMetadata = (value: Metadata, lookups: EntryLookups): ExpandedMetadata =>
  metadataField.expand(value, lookups);

/**
 * Lists the vocabulary entries that a validation looks up, so that they can be loaded first.
 * @param onMarkup gets each text that would be cleaned.
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

/** All vocabulary entries that input or stored metadata refers to. */
export const collectVocabularyIds = (input: unknown, onMarkup?: (html: string) => void): EntryReference[] =>
  referencesIn((lookups) => validateMetadata(input, lookups), onMarkup);
