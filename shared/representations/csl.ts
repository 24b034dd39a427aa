import { customDetailsOf } from "./custom-details.ts";
import {
  type Agent,
  addressOf,
  contributorsOf,
  creatorsOf,
  datePartsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  propertyOf,
  textOfHtml,
} from "./presented-record.ts";

const nameOf = ({ isPerson, family, given, name }: Agent) =>
  isPerson && family ? { family, ...(given ? { given } : {}) } : { literal: name };

/** Start and end as CSL date parts; an open interval has only its known end. */
function issuedOf(record: PresentedRecord) {
  const first = datePartsOf(record);
  const [, end] = (record.metadata.publication_date ?? "").split("/");
  if (!first) return undefined;
  const last = end ? end.split("-").map(Number) : undefined;
  return { "date-parts": last && last.join() !== first.join() ? [first, last] : [first] };
}

/** A record as an item of citation processors (CSL JSON 1.0). */
export function cslOf(record: PresentedRecord): Record<string, unknown> {
  const { metadata } = record;
  const [language] = metadata.languages ?? [];
  const editors = contributorsOf(record).filter(({ roleId }) => roleId === "editor");
  const keywords = (metadata.subjects ?? []).flatMap(({ subject }) => (subject ? [subject] : []));
  const { journal, imprint, meeting, thesis } = customDetailsOf(record);
  const issn = metadata.identifiers?.find(({ scheme }) => scheme === "issn" || scheme === "eissn")?.identifier;
  const isbn = metadata.identifiers?.find(({ scheme }) => scheme === "isbn")?.identifier;
  const item = {
    id: record.id,
    type: propertyOf("resourcetypes", metadata.resource_type?.id, "csl") ?? "document",
    title: metadata.title,
    author: creatorsOf(record).map(nameOf),
    editor: editors.length > 0 ? editors.map(nameOf) : undefined,
    issued: issuedOf(record),
    "container-title": journal.title ?? imprint.title,
    volume: journal.volume,
    issue: journal.issue,
    page: journal.pages ?? imprint.pages,
    edition: imprint.edition,
    "event-title": meeting.title ?? meeting.acronym,
    "event-place": meeting.place,
    genre: thesis.type,
    publisher: thesis.university ?? (metadata.publisher || undefined),
    "publisher-place": imprint.place,
    version: metadata.version || undefined,
    abstract: metadata.description ? textOfHtml(metadata.description) : undefined,
    keyword: keywords.length > 0 ? keywords.join(", ") : undefined,
    language: language ? languageCodeOf(language.id) : undefined,
    DOI: doiOf(record),
    ISBN: imprint.isbn ?? isbn,
    ISSN: journal.issn ?? issn,
    URL: addressOf(record),
  };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
