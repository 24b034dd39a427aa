import { plainDoi } from "../../../../shared/identifiers/scheme.schema.ts";
import type { Creator, Metadata } from "../../../api-client/record-types.ts";
import { escapeHtml } from "../../../format/html-words.ts";
import { normaliseOrcid } from "../creators/orcid.ts";
import type { PastedPerson } from "../creators/parse-people.ts";
import { type Appeared, type CitedFields, placesOf, type Unplaced } from "./appeared.ts";

/** A work described by a citation; the DOI is separate, as in a draft. */
export interface ReadWork {
  metadata: Metadata;
  custom_fields: CitedFields;
  /** What the citation says and a draft has no place for. */
  unplaced: Unplaced[];
  /** What the citation says is the ORCID of a person and is none, after the name. */
  wrongOrcids?: string[];
  doi?: string;
  /** The source ends in the middle of this work, or says nothing that names it. */
  isDamaged?: boolean;
}

const types: Record<string, string> = {
  article: "publication-article",
  "article-journal": "publication-article",
  jour: "publication-article",
  book: "publication-book",
  inbook: "publication-section",
  incollection: "publication-section",
  chapter: "publication-section",
  chap: "publication-section",
  inproceedings: "publication-conferencepaper",
  conference: "publication-conferencepaper",
  "paper-conference": "publication-conferencepaper",
  cpaper: "publication-conferencepaper",
  conf: "publication-conferencepaper",
  phdthesis: "publication-thesis",
  mastersthesis: "publication-thesis",
  thesis: "publication-thesis",
  thes: "publication-thesis",
  techreport: "publication-report",
  report: "publication-report",
  rprt: "publication-report",
  unpublished: "publication-preprint",
  dataset: "dataset",
  data: "dataset",
  software: "software",
  comp: "software",
  journalarticle: "publication-article",
  booksection: "publication-section",
  conferencepaper: "publication-conferencepaper",
  preprint: "publication-preprint",
  computerprogram: "software",
  presentation: "presentation",
};

export const doiPattern = /\b10\.\d{4,9}\/[^\s"<>{}]+[^\s"<>{}.,;]/;
/** The DOI in a text, such as an address. */
export const doiIn = (text: string): string | undefined => doiPattern.exec(plainDoi(text.trim()))?.[0];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The parts of a name that are there, as one text: "van Beethoven", "King Jr.". */
export const joined = (...parts: unknown[]): string =>
  parts.filter((part) => part && typeof part === "string").join(" ");

export interface ReadCreator extends PastedPerson {
  /** What the citation says of the person and a draft has no place for. */
  unplaced?: Unplaced[];
}

export const affiliated = (names: string[]) =>
  names.length > 0 ? { affiliations: names.map((name) => ({ name })) } : {};

export const person = (family_name: string, given_name = "", orcid = "", affiliations: string[] = []): ReadCreator => {
  const identifier = normaliseOrcid(orcid);
  return {
    person_or_org: {
      type: "personal",
      family_name,
      ...(given_name ? { given_name } : {}),
      ...(identifier ? { identifiers: [{ scheme: "orcid", identifier }] } : {}),
    },
    ...affiliated(affiliations),
    ...(orcid.trim() && !identifier ? { wrongOrcid: orcid.trim() } : {}),
  };
};
export const organisation = (name: string): Creator => ({ person_or_org: { type: "organizational", name } });

const nameIn = ({ person_or_org: one }: Creator) => one?.family_name ?? one?.name;

/** A creator with what the source says of them beside the keys that are read, to name it. */
export function withRest(
  creator: ReadCreator,
  said: object,
  read: ReadonlySet<string>,
  textOf: (value: unknown) => string,
): ReadCreator {
  const rest = Object.entries(said).flatMap(([name, value]) => {
    const text = read.has(name) ? "" : textOf(value);
    return text ? [{ name, value: `${nameIn(creator)}: ${text}` }] : [];
  });
  return rest.length > 0 ? { ...creator, unplaced: rest } : creator;
}

/** "Family, Given", "Family, Jr., Given" or "Given von Family". */
export function named(name: string): Creator {
  const [family = "", ...rest] = name.split(",").map((part) => part.trim());
  if (rest.length > 0) {
    const suffix = rest.length > 1 ? rest.find((part) => /^([JS]r|[IV]+)\.?$/i.test(part)) : undefined;
    const given = rest.filter((part) => part !== suffix).join(", ");
    return person(suffix ? `${family} ${suffix}` : family, given);
  }
  const words = family.split(/\s+/);
  const particle = words.findIndex((word) => /^\p{Ll}/u.test(word));
  const at = particle > 0 ? particle : words.length - 1;
  return person(words.slice(at).join(" "), words.slice(0, at).join(" "));
}

const twoDigits = (part: string | number | undefined) => String(part ?? "").padStart(2, "0");
/** An EDTF date from the known parts. */
export function dateOf(year?: string | number, month?: string | number, day?: string | number): string | undefined {
  if (!/^\d{4}$/.test(String(year ?? ""))) return undefined;
  const number =
    months.indexOf(
      String(month ?? "")
        .slice(0, 3)
        .toLowerCase(),
    ) + 1 ||
    Number(month) ||
    0;
  if (number < 1 || number > 12) return String(year);
  return [year, twoDigits(number), ...(Number(day) > 0 ? [twoDigits(day)] : [])].join("-");
}

const paragraphs = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((part) => `<p>${escapeHtml(part.replace(/\s+/g, " ").trim())}</p>`)
    .join("");

interface Plain {
  title?: string | undefined;
  type?: string | undefined;
  date?: string | undefined;
  creators?: ReadCreator[];
  abstract?: string | undefined;
  publisher?: string | undefined;
  version?: string | undefined;
  subjects?: string[];
  doi?: string | undefined;
  appeared?: Appeared;
  unplaced?: Unplaced[];
  isDamaged?: boolean;
}

export function workOf({
  title,
  type,
  date,
  creators = [],
  abstract,
  publisher,
  version,
  subjects = [],
  doi,
  appeared = {},
  unplaced = [],
  isDamaged = false,
}: Plain): ReadWork {
  const id = types[type?.toLowerCase() ?? ""];
  const metadata: Metadata = {
    ...(title ? { title } : {}),
    ...(id ? { resource_type: { id } } : {}),
    ...(date ? { publication_date: date } : {}),
    ...(creators.length ? { creators: creators.map(({ wrongOrcid: _, unplaced: __, ...creator }) => creator) } : {}),
    ...(abstract ? { description: paragraphs(abstract) } : {}),
    ...(publisher ? { publisher } : {}),
    ...(version ? { version } : {}),
    ...(subjects.length ? { subjects: subjects.map((subject) => ({ subject })) } : {}),
  };
  const found = doiIn(doi ?? "");
  const places = placesOf(appeared);
  const wrongOrcids = creators.flatMap((one) => (one.wrongOrcid ? [`${nameIn(one)}: ${one.wrongOrcid}`] : []));
  return {
    metadata,
    custom_fields: places.custom_fields,
    unplaced: [...places.unplaced, ...unplaced, ...creators.flatMap((one) => one.unplaced ?? [])],
    ...(wrongOrcids.length ? { wrongOrcids: [...new Set(wrongOrcids)] } : {}),
    ...(found ? { doi: found } : {}),
    ...(isDamaged || !(title || found) ? { isDamaged: true } : {}),
  };
}

export const listed = (text = "") =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);

/** Whether an address only leads to a DOI, which is read. */
export const isDoiAddress = (address: string): boolean => /^https?:\/\/(dx\.)?doi\.org\//i.test(address);
