import { normalForm } from "../kernel/normal-form.ts";
import { customDetailsOf } from "./custom-details.ts";
import {
  type Agent,
  addressOf,
  contributorsOf,
  creatorsOf,
  datePartsOf,
  doiOf,
  type PresentedRecord,
  propertyOf,
  yearOf,
} from "./presented-record.ts";

const escapes: Record<string, string> = {
  "\\": "\\textbackslash{}",
  // BibTeX counts braces even after a backslash: a single one would break the rest of the file.
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** Text inside braces: escapes LaTeX's special characters, in one line. */
const escapeLatex = (text: string): string =>
  text.replace(/[\\{}&%$#_~^]/g, (character) => escapes[character] ?? "").replace(/\s+/g, " ");

/** A part of a name; in braces if BibTeX would otherwise split it. */
const namePart = (text: string): string => (/,|\sand\s/i.test(text) ? `{${escapeLatex(text)}}` : escapeLatex(text));

/** Family and given names in BibTeX's order; names of organisations in braces. */
const authorOf = ({ isPerson, family, given, name }: Agent): string =>
  isPerson && family
    ? [family, given].flatMap((part) => (part ? namePart(part) : [])).join(", ")
    : `{${escapeLatex(name)}}`;

/** A URL or DOI, which is not escaped, without braces. */
const withoutBraces = (address: string | undefined): string | undefined =>
  address?.replace(/[{}]/g, (brace) => encodeURIComponent(brace));

/** Lower-case ASCII letters of a name, for the key. */
const keyPart = (text: string): string =>
  normalForm(text, "NFKD")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();

/**
 * The citation key, such as `brown_2020_4d0ns-ntd89`: the record's id makes it unique. Some programs read a key only if it
 * begins with a letter.
 */
function keyOf(record: PresentedRecord): string {
  const [first] = creatorsOf(record);
  const parts = [keyPart(first?.family ?? first?.name ?? ""), yearOf(record) ?? "", record.id];
  const key = parts.filter((part) => part !== "").join("_");
  return /^\d/.test(key) ? `record_${key}` : key;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The field for the publisher by entry type, for theses, reports and chapters. */
const publisherFields: Record<string, string> = {
  phdthesis: "school",
  techreport: "institution",
  manual: "organization",
};

/** Fields from the custom fields of journal, book, meeting and thesis. */
function detailsOf(record: PresentedRecord, type: string): [string, string | undefined][] {
  const { journal, imprint, meeting, thesis } = customDetailsOf(record);
  const isThesis = type === "phdthesis" || type === "mastersthesis";
  const details: [string, string | undefined][] = [
    ["school", isThesis ? thesis.university : undefined],
    ["type", isThesis ? thesis.type : undefined],
    ["journal", journal.title],
    ["volume", journal.volume],
    ["number", journal.issue],
    ["pages", (journal.pages ?? imprint.pages)?.replace(/\s*[-–—]+\s*/g, "--")],
    ["issn", journal.issn],
    ["booktitle", imprint.title ?? meeting.title],
    ["isbn", imprint.isbn],
    ["address", imprint.place ?? meeting.place],
    ["edition", imprint.edition],
  ];
  return details.map(([name, value]) => [name, value && escapeLatex(value)]);
}

/** The entry type; `misc` when the record lacks a field that the type requires (interoperability 32). */
function typeOf(record: PresentedRecord): string {
  const { metadata } = record;
  const { journal, imprint, meeting, thesis } = customDetailsOf(record);
  const type = propertyOf("resourcetypes", metadata.resource_type?.id, "bibtex") ?? "misc";
  if (type === "book") return metadata.publisher ? type : "booklet";
  const isComplete: Record<string, boolean> = {
    article: Boolean(journal.title),
    inproceedings: Boolean(imprint.title ?? meeting.title),
    inbook: Boolean(metadata.publisher && imprint.title),
    phdthesis: Boolean(thesis.university ?? metadata.publisher),
    techreport: Boolean(metadata.publisher),
  };
  return (isComplete[type] ?? true) ? type : "misc";
}

/** A record as one BibTeX entry. */
export function bibtexOf(record: PresentedRecord): string {
  const { metadata } = record;
  const type = typeOf(record);
  const editors = contributorsOf(record).filter(({ roleId }) => roleId === "editor");
  const month = months[(datePartsOf(record)?.[1] ?? 0) - 1];
  const details = detailsOf(record, type);
  const fields: [string, string | undefined][] = [
    ["author", creatorsOf(record).map(authorOf).join(" and ")],
    ["editor", editors.map(authorOf).join(" and ")],
    ["title", metadata.title && `{${escapeLatex(metadata.title)}}`],
    ["year", yearOf(record)],
    [publisherFields[type] ?? "publisher", metadata.publisher && escapeLatex(metadata.publisher)],
    ["version", metadata.version && escapeLatex(metadata.version)],
    ["doi", withoutBraces(doiOf(record))],
    ["url", withoutBraces(addressOf(record))],
  ];
  const replaced = new Set(details.filter(([, value]) => value).map(([name]) => name));
  const all = [...fields.filter(([name]) => !replaced.has(name)), ...details];
  const lines = all.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(12)} = {${value}}`);
  // Month names are BibTeX macros: no braces.
  if (month !== undefined) lines.push(`  ${"month".padEnd(12)} = ${month}`);
  return `@${type}{${keyOf(record)},\n${lines.join(",\n")}\n}\n`;
}
