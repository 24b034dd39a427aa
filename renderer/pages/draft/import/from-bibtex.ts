import type { Appeared } from "./appeared.ts";
import { type BibtexEntry, parseBibtex, plainLatex, splitNames } from "./bibtex.ts";
import { dateOf, isDoiAddress, listed, named, organisation, type ReadWork, workOf } from "./work.ts";

const bibtexTheses: Record<string, string> = { phdthesis: "PhD thesis", mastersthesis: "Master’s thesis" };

/** Fields of a BibTeX entry that `fromBibtex` reads. */
const bibtexRead = new Set(
  `title date year month day author abstract publisher school institution version keywords doi journal journaltitle
  booktitle volume number issue pages issn isbn address location edition eventtitle venue eventdate type`.split(/\s+/),
);

function bibtexAppeared(type: string, field: (name: string) => string | undefined): Appeared {
  const isThesis = type.endsWith("thesis");
  return {
    journal: field("journal") ?? field("journaltitle"),
    book: field("booktitle"),
    volume: field("volume"),
    issue: field("number") ?? field("issue"),
    pages: field("pages"),
    issn: field("issn"),
    isbn: field("isbn"),
    place: field("address") ?? field("location"),
    edition: field("edition"),
    meeting: field("eventtitle"),
    meetingPlace: field("venue"),
    meetingDates: field("eventdate"),
    university: isThesis ? (field("school") ?? field("institution")) : undefined,
    thesisType: isThesis ? (field("type") ?? bibtexTheses[type]) : undefined,
  };
}

/** Each BibTeX entry as a work. */
export const fromBibtex = (text: string): ReadWork[] => parseBibtex(text).map(workOfEntry);

function workOfEntry({ type, fields, isCut }: BibtexEntry): ReadWork {
  const field = (name: string) => (fields[name] === undefined ? undefined : plainLatex(fields[name]));
  const names = splitNames(fields.author ?? "");
  const authors = names.filter((one) => one !== "others");
  return workOf({
    type,
    isDamaged: isCut,
    title: field("title"),
    date: field("date") ?? dateOf(field("year"), field("month"), field("day")),
    creators: authors.map((one) => (/^\{.*\}$/s.test(one) ? organisation(plainLatex(one)) : named(plainLatex(one)))),
    abstract: field("abstract"),
    publisher: field("publisher") ?? field("school") ?? field("institution"),
    version: field("version"),
    subjects: listed(field("keywords")),
    doi: fields.doi ?? fields.url,
    appeared: bibtexAppeared(type, field),
    unplaced: [
      ...(authors.length < names.length ? [{ name: "author", value: "and others" }] : []),
      ...Object.keys(fields).flatMap((name) => {
        const value = field(name);
        const isImported = bibtexRead.has(name) && !(name === "type" && !type.endsWith("thesis"));
        return value && !isImported && !(name === "url" && isDoiAddress(value)) ? [{ name, value }] : [];
      }),
    ],
  });
}
