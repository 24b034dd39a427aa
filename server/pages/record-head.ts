import { customDetailsOf, pagesOf } from "../../shared/representations/custom-details.ts";
import { exportFormats } from "../../shared/representations/export-formats.ts";
import { linksetOf, type VersionLinks } from "../../shared/representations/linkset.ts";
import {
  addressOf,
  coverIn,
  creatorsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  textOfHtml,
  yearOf,
} from "../../shared/representations/presented-record.ts";
import { linkedTypes } from "../../shared/representations/representations.ts";
import { schemaOrgOf } from "../../shared/representations/schema-org.ts";
import type { ShownFile } from "./file-rows.ts";
import { type Html, html, jsonInScript } from "./html.ts";
import type { ShownRecord } from "./shown-record.ts";

interface NamedFile {
  key: string;
}

const maxAuthors = 100;
const summaryLength = 160;
/** Google Dataset Search refuses descriptions beyond these. */
const [minDescription, maxDescription] = [50, 5000];
/** The picture of the repository. */
const touchIcon = "/apple-touch-icon.png";
/** Width and height at most, in pixels, of the picture that others show beside a link. */
const sharedPicture = 1200;

const meta = (name: string, content: string | undefined): Html[] =>
  content ? [html`<meta name="${name}" content="${content}">`] : [];
const property = (name: string, content: string | undefined): Html[] =>
  content ? [html`<meta property="${name}" content="${content}">`] : [];

/** What the tags say of the journal, book, meeting or university of a work. */
function containerTags(record: PresentedRecord): Html[] {
  const { journal, imprint, meeting, thesis } = customDetailsOf(record);
  const { first, last } = pagesOf(journal.pages ?? imprint.pages);
  const kind = record.metadata.resource_type?.id ?? "";
  const isReport = kind === "publication-report" || kind === "publication-technicalnote";
  return [
    ...meta("citation_journal_title", journal.title),
    ...meta("citation_issn", journal.issn),
    ...meta("citation_volume", journal.volume),
    ...meta("citation_issue", journal.issue),
    ...meta("citation_firstpage", first),
    ...meta("citation_lastpage", last),
    ...meta("citation_inbook_title", imprint.title),
    ...meta("citation_isbn", imprint.isbn),
    ...meta("citation_conference_title", meeting.title),
    ...meta("citation_dissertation_institution", thesis.university),
    ...meta("citation_technical_report_institution", isReport ? record.metadata.publisher : undefined),
  ];
}

/**
 * The one PDF of a publication that Google Scholar indexes: the default preview, else the only PDF. Scholar wants its
 * address below that of the page.
 */
function pdfOf({ metadata, files: options, links }: PresentedRecord, files: readonly NamedFile[]): string | undefined {
  if (metadata.resource_type?.id.startsWith("publication") !== true) return undefined;
  const pdfs = files.filter(({ key }) => /\.pdf$/i.test(key));
  const chosen = pdfs.find(({ key }) => key === options?.default_preview);
  const { key } = chosen ?? (pdfs.length === 1 ? pdfs[0] : undefined) ?? {};
  return key && `${links?.self_html}/files/${key.split("/").map(encodeURIComponent).join("/")}?download=1`;
}

/** Highwire tags, which Google Scholar reads. An organisation has no comma, since readers split names there. */
function highwireOf(record: PresentedRecord, files: readonly NamedFile[]): Html[] {
  const { metadata } = record;
  return [
    ...meta("citation_title", metadata.title),
    ...creatorsOf(record)
      .slice(0, maxAuthors)
      .flatMap(({ name, isPerson, identifiers }) => [
        ...meta("citation_author", isPerson ? name : name.replaceAll(",", "")),
        ...meta("citation_author_orcid", identifiers.find(({ scheme }) => scheme === "orcid")?.identifier),
      ]),
    ...meta("citation_publication_date", metadata.publication_date?.split("/")[0]?.replaceAll("-", "/")),
    ...meta("citation_doi", doiOf(record)),
    ...meta("citation_publisher", metadata.publisher),
    ...(metadata.languages ?? []).slice(0, 1).flatMap(({ id }) => meta("citation_language", languageCodeOf(id))),
    ...(metadata.subjects ?? []).flatMap(({ subject }) => meta("citation_keywords", subject)),
    ...meta("citation_abstract_html_url", record.links?.self_html),
    ...containerTags(record),
    ...meta("citation_pdf_url", pdfOf(record, files)),
  ];
}

function dublinCoreOf(record: PresentedRecord): Html[] {
  const { metadata } = record;
  return [
    html`<link rel="schema.DC" href="http://purl.org/dc/elements/1.1/">`,
    ...meta("DC.title", metadata.title),
    ...creatorsOf(record)
      .slice(0, maxAuthors)
      .flatMap(({ name }) => meta("DC.creator", name)),
    ...meta("DC.date", metadata.publication_date),
    ...meta("DC.identifier", addressOf(record)),
    ...meta("DC.publisher", metadata.publisher),
    ...meta("DC.type", metadata.resource_type?.title?.en),
    ...(metadata.languages ?? []).slice(0, 1).flatMap(({ id }) => meta("DC.language", languageCodeOf(id))),
    ...(metadata.subjects ?? []).flatMap(({ subject }) => meta("DC.subject", subject)),
  ];
}

/** Of more files, the digests would make the page too large: 30 KiB with twenty files. */
const maxDigests = 10;

/** The digests, which the record's JSON does not have, let readers check what they downloaded. */
function withDigests(downloads: { name?: string }[], files: readonly ShownFile[]): object[] {
  if (downloads.length > maxDigests) return downloads;
  const digests = new Map(files.map(({ key, sha256 }) => [key, sha256]));
  return downloads.map((download) => {
    const sha256 = digests.get(download.name ?? "");
    return sha256 === undefined ? download : { ...download, sha256 };
  });
}

/**
 * JSON-LD of a page. Search engines read creators of a dataset and authors of other works, so one list is enough, and a
 * hundred people are. They refuse descriptions that are short or long.
 */
function pageDataOf({ record, files = [] }: ShownRecord): Record<string, unknown> {
  const { creator, author, headline, contributor, distribution, ...others } = schemaOrgOf(record);
  const people = Array.isArray(author) ? author.slice(0, maxAuthors) : undefined;
  return {
    ...others,
    description: fittedDescription(record),
    ...(Array.isArray(distribution) ? { distribution: withDigests(distribution, files) } : {}),
    ...(others["@type"] === "Dataset" ? { creator: people } : { headline, author: people }),
    ...(Array.isArray(contributor) ? { contributor: contributor.slice(0, maxAuthors) } : {}),
  };
}

/** The first characters of a text. None of them is halved: some take two UTF-16 code units. */
const startOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** The abstract; a short one is followed by type, people and year. */
function fittedDescription(record: PresentedRecord): string {
  const { metadata } = record;
  const text = metadata.description ? textOfHtml(metadata.description) : "";
  if (text.length >= minDescription) return startOf(text, maxDescription);
  const people = creatorsOf(record).map(({ name }) => name);
  const facts = [metadata.resource_type?.title?.en, people.slice(0, 3).join("; "), yearOf(record), metadata.publisher];
  const whole = [text, `${metadata.title ?? ""}.`, facts.filter(Boolean).join(", ")].join(" ").trim();
  return startOf(whole, maxDescription);
}

/** The start of the abstract, as search engines show it. No word is cut. */
function summaryOf(record: PresentedRecord): string {
  const text = fittedDescription(record);
  if (text.length <= summaryLength) return text;
  return `${startOf(text, summaryLength - 1).replace(/\s+\S*$/, "")}…`;
}

/** What machines read in the head of a public record's page (design, web 7). */
export function headOf(shown: ShownRecord): Html[] {
  const { record, files = [] } = shown;
  const { metadata, links } = record;
  const page = links?.self_html ?? "";
  const path = page && new URL(page).pathname;
  const description = summaryOf(record);
  const cover = coverIn(record);
  return [
    html`<link rel="canonical" href="${page}">`,
    ...versionTags(versionLinksOf(shown)),
    ...Object.entries(exportFormats).map(
      ([name, { mediaType }]) =>
        html`<link rel="alternate" type="${mediaType.split(";", 1)[0] ?? ""}" href="${path}/export/${name}">`,
    ),
    ...(cover && links?.self_iiif_manifest
      ? [html`<link rel="alternate" type="application/ld+json" title="IIIF" href="${links.self_iiif_manifest}">`]
      : []),
    ...meta("description", description),
    ...property("og:title", metadata.title),
    ...property("og:type", "article"),
    ...property("og:url", page),
    ...property("og:description", description),
    ...property("og:image", cover?.address(sharedPicture) ?? (page && new URL(touchIcon, page).href)),
    ...meta("twitter:card", "summary"),
    ...highwireOf(record, files),
    ...dublinCoreOf(record),
    html`<script type="application/ld+json">${jsonInScript(pageDataOf(shown))}</script>`,
  ];
}

/** Where the other versions are (RFC 5829). The caller may read all of `versions`, the newest first. */
function versionLinksOf({ record, versions }: ShownRecord): VersionLinks {
  const place = versions.findIndex(({ id }) => id === record.id);
  const [latest] = versions;
  return {
    latest: place > 0 ? latest?.address : undefined,
    predecessor: place >= 0 ? versions[place + 1]?.address : undefined,
  };
}

const versionTags = ({ latest, predecessor }: VersionLinks): Html[] => [
  ...(latest === undefined ? [] : [html`<link rel="latest-version" href="${latest}">`]),
  ...(predecessor === undefined ? [] : [html`<link rel="predecessor-version" href="${predecessor}">`]),
];

const maxTargets = 10;
const maxHeaderLength = 3000;

interface LinkTarget {
  href: string;
  type?: string;
}

/** A header holds ASCII text, and the first `>` ends its address. */
const inHeader = (address: string): string =>
  address.replace(/[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));

const linkValue = (relation: string, { href, type }: LinkTarget): string =>
  `<${inHeader(href)}>; rel="${relation}"${type ? `; type="${type}"` : ""}`;

/**
 * The `Link` header of a record's page (FAIR Signposting, level 1): at most ten targets of a relation. Proxies refuse long
 * headers, so what does not fit stands in the link set alone.
 * @param catalog address of the catalogue of interfaces.
 */
export function signpostsOf(shown: ShownRecord, catalog: string): string {
  const { record } = shown;
  const linkset: LinkTarget = { href: record.links?.self ?? "", type: "application/linkset+json" };
  const [context] = linksetOf(record, {
    ...{ types: linkedTypes, hasPages: true },
    versions: versionLinksOf(shown),
  }).linkset as [Record<string, LinkTarget[] | string>];
  let header = `${linkValue("linkset", linkset)}, ${linkValue("api-catalog", { href: catalog })}`;
  for (const [relation, targets] of Object.entries(context)) {
    if (typeof targets === "string" || relation === "linkset") continue;
    for (const target of targets.slice(0, maxTargets)) {
      const value = `, ${linkValue(relation, target)}`;
      if (header.length + value.length <= maxHeaderLength) header += value;
    }
  }
  return header;
}
