import type { Pids } from "../identifiers/pids.schema.ts";
import { doiAddress, isValidIdentifier } from "../identifiers/scheme.schema.ts";
import { fittedAddress } from "../iiif/thumbnails.presenter.ts";
import { dateInterval } from "../metadata/edtf.schema.ts";
import { displayName } from "../metadata/fields/creators.schema.ts";
import type { ExpandedMetadata } from "../metadata/metadata.schema.ts";
import { findShippedEntry } from "../vocabularies/shipped-entries.ts";
import type { LocalisedText, VocabularyType } from "../vocabularies/vocabulary.schema.ts";

interface PresentedEmbargo {
  active?: boolean;
  until?: string;
  reason?: string | null;
}

/** The JSON body of a record or draft (records 3.5), as far as other formats use it. */
export interface PresentedRecord {
  id: string;
  created: string;
  updated: string;
  is_published?: boolean;
  metadata: ExpandedMetadata;
  custom_fields?: Record<string, unknown>;
  pids: Pids;
  /** What all versions share. */
  parent?: { pids?: Pids };
  access?: { record?: string; files?: string; status?: string; embargo?: PresentedEmbargo };
  versions?: { index?: number; is_latest?: boolean };
  files?: { enabled?: boolean; default_preview?: string | null; entries?: Record<string, unknown> };
  links?: Record<string, string>;
}

/** The body of a record or draft, as other formats read it. Its presenter gives an untyped object. */
export const presented = (body: Record<string, unknown>): PresentedRecord => body as unknown as PresentedRecord;

/** The picture that stands for a record. */
export interface Cover {
  key: string;
  /** Where it is drawn to fit into a box of this many pixels. */
  address(width: number, height?: number): string;
}

/** Undefined for a record without pictures, or whose files the reader may not see. */
export function coverIn({ links }: PresentedRecord): Cover | undefined {
  const { thumbnails } = (links ?? {}) as { thumbnails?: Record<string, string> };
  const [, image, key] = /^(.+:[^:]+:([^/]+))\/full\//.exec(Object.values(thumbnails ?? {})[0] ?? "") ?? [];
  if (image === undefined || key === undefined) return undefined;
  return {
    key: decodeURIComponent(key),
    address: (width: number, height?: number) => fittedAddress(image, width, height),
  };
}

/** The URL of all files as one download; undefined for a record without files. */
export const archiveOf = ({ files, links }: PresentedRecord): string | undefined =>
  files?.enabled === false ? undefined : links?.archive;

type SentAgent = NonNullable<ExpandedMetadata["contributors"]>[number];

/** A creator or contributor. Drafts may have incomplete ones; those without a name are omitted. */
export interface Agent {
  name: string;
  isPerson: boolean;
  family?: string;
  given?: string;
  identifiers: { scheme: string; identifier: string }[];
  affiliations: { id?: string; name: string }[];
  roleId?: string;
}

function agentOf({ person_or_org: person = {}, role, affiliations = [] }: Partial<SentAgent>): Agent[] {
  const { family_name: family, given_name: given, identifiers = [] } = person;
  const name = displayName(person);
  if (!name) return [];
  const isPerson = person.type === "personal";
  return [
    {
      name,
      isPerson,
      ...(isPerson && family ? { family } : {}),
      ...(isPerson && given ? { given } : {}),
      identifiers: identifiers.flatMap(({ scheme, identifier }) =>
        scheme && identifier ? [{ scheme, identifier }] : [],
      ),
      affiliations: affiliations.flatMap(({ id, name: label }) =>
        label ? [{ ...(id ? { id } : {}), name: label }] : [],
      ),
      ...(role ? { roleId: role.id } : {}),
    },
  ];
}

export const creatorsOf = ({ metadata }: PresentedRecord): Agent[] => (metadata.creators ?? []).flatMap(agentOf);
export const contributorsOf = ({ metadata }: PresentedRecord): Agent[] =>
  (metadata.contributors ?? []).flatMap(agentOf);

/** The DOI, if the record has a valid one. */
export function doiOf({ pids }: PresentedRecord): string | undefined {
  const identifier = pids.doi?.identifier;
  return identifier !== undefined && isValidIdentifier("doi", identifier) ? identifier : undefined;
}

/** The DOI of all versions, if the family has one (interoperability 13). */
export const parentDoiOf = ({ parent }: PresentedRecord): string | undefined => parent?.pids?.doi?.identifier;

type Related = NonNullable<ExpandedMetadata["related_identifiers"]>[number];

/** The related works, and the DOI of all versions, of which this is one. */
export function relatedWorksOf(record: PresentedRecord): Related[] {
  const { related_identifiers: related = [] } = record.metadata;
  const identifier = parentDoiOf(record);
  if (identifier === undefined || related.some((one) => one.identifier?.toLowerCase() === identifier)) return related;
  const { resource_type } = record.metadata;
  const ofAll = { identifier, scheme: "doi", relation_type: { id: "isversionof", title: {} } };
  return [...related, { ...ofAll, ...(resource_type ? { resource_type } : {}) } as Related];
}

/** First and last day of the publication date, if known. */
const publicationDaysOf = ({ metadata }: PresentedRecord) => dateInterval(metadata.publication_date ?? "");

/** The year of publication: four digits. */
export function yearOf(record: PresentedRecord): string | undefined {
  const days = publicationDaysOf(record);
  return (days?.lo ?? days?.hi)?.slice(0, 4);
}

/** Year, month and day of the (first) publication date, as far as it has them. */
export function datePartsOf({ metadata }: PresentedRecord): number[] | undefined {
  const [start, end] = (metadata.publication_date ?? "").split("/");
  const date = start || end;
  return date ? date.split("-").map(Number) : undefined;
}

/** The term of another format for a shipped entry. */
export const propertyOf = (type: VocabularyType, id: string | undefined, name: string): string | undefined =>
  id === undefined ? undefined : findShippedEntry(type, id)?.props?.[name];

/** The text in the requested language, else in English, else in any. */
export const textIn = (texts: LocalisedText | string | undefined, locale = "en"): string | undefined =>
  typeof texts === "string" || texts === undefined
    ? texts
    : (texts[locale] ?? texts[locale.split("-")[0] ?? ""] ?? texts.en ?? Object.values(texts)[0]);

/** `en` for `eng`; languages without a two-letter code keep their three letters. */
export const languageCodeOf = (id: string): string => propertyOf("languages", id, "alpha_2") ?? id;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The plain text of cleaned HTML: removes tags (blocks separate words), then decodes entities. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<\/?(?:a|abbr|acronym|b|code|em|i|span|strike|strong|sub|sup|u)(?:\s[^<>]*)?>/g, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => entities[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** The URL for readers: the DOI's, else the page. A draft is cited as the record that it becomes. */
export function addressOf(record: PresentedRecord): string | undefined {
  const doi = doiOf(record);
  return doi === undefined ? (record.links?.record_html ?? record.links?.self_html) : doiAddress(doi);
}
