import type { Creator, Metadata } from "../../../api-client/record-types.ts";
import { escapeHtml } from "../../../format/html-words.ts";
import { normaliseOrcid } from "../creators/orcid.ts";
import { parseBibtex, plainLatex, splitNames } from "./bibtex.ts";
import { parseYaml } from "./small-yaml.ts";

/** A work described by a citation; the DOI is separate, as in a draft. */
export interface ReadWork {
  metadata: Metadata;
  doi?: string;
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
};

const doiPattern = /\b10\.\d{4,9}\/[^\s"<>{}]+[^\s"<>{}.,;]/;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const person = (family_name: string, given_name = "", orcid = "", affiliation = ""): Creator => {
  const identifier = normaliseOrcid(orcid);
  return {
    person_or_org: {
      type: "personal",
      family_name,
      ...(given_name ? { given_name } : {}),
      ...(identifier ? { identifiers: [{ scheme: "orcid", identifier }] } : {}),
    },
    ...(affiliation ? { affiliations: [{ name: affiliation }] } : {}),
  };
};
const organisation = (name: string): Creator => ({ person_or_org: { type: "organizational", name } });

/** "Family, Given", "Family, Jr., Given" or "Given von Family". */
function named(name: string): Creator {
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
function dateOf(year?: string | number, month?: string | number, day?: string | number): string | undefined {
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
  creators?: Creator[];
  abstract?: string | undefined;
  publisher?: string | undefined;
  version?: string | undefined;
  subjects?: string[];
  doi?: string | undefined;
}

function workOf({
  title,
  type,
  date,
  creators = [],
  abstract,
  publisher,
  version,
  subjects = [],
  doi,
}: Plain): ReadWork {
  const id = types[type?.toLowerCase() ?? ""];
  const metadata: Metadata = {
    ...(title ? { title } : {}),
    ...(id ? { resource_type: { id } } : {}),
    ...(date ? { publication_date: date } : {}),
    ...(creators.length ? { creators } : {}),
    ...(abstract ? { description: paragraphs(abstract) } : {}),
    ...(publisher ? { publisher } : {}),
    ...(version ? { version } : {}),
    ...(subjects.length ? { subjects: subjects.map((subject) => ({ subject })) } : {}),
  };
  const found = doiPattern.exec(doi ?? "")?.[0];
  return { metadata, ...(found ? { doi: found } : {}) };
}

const listed = (text = "") =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);

function fromBibtex(text: string): ReadWork | undefined {
  const entry = parseBibtex(text);
  if (!entry) return undefined;
  const { type, fields } = entry;
  const field = (name: string) => (fields[name] === undefined ? undefined : plainLatex(fields[name]));
  const authors = splitNames(fields.author ?? "").filter((one) => one !== "others");
  return workOf({
    type,
    title: field("title"),
    date: field("date") ?? dateOf(field("year"), field("month"), field("day")),
    creators: authors.map((one) => (/^\{.*\}$/s.test(one) ? organisation(plainLatex(one)) : named(plainLatex(one)))),
    abstract: field("abstract"),
    publisher: field("publisher") ?? field("school") ?? field("institution"),
    version: field("version"),
    subjects: listed(field("keywords")),
    doi: fields.doi ?? fields.url,
  });
}

function fromRis(text: string): ReadWork | undefined {
  const lines = [...text.matchAll(/^([A-Z][A-Z0-9]) {2}- ?(.*)$/gm)].map(([, tag = "", value = ""]) => [
    tag,
    value.trim(),
  ]);
  const end = lines.findIndex(([tag]) => tag === "ER");
  const entry = end >= 0 ? lines.slice(0, end) : lines;
  if (!entry.some(([tag]) => tag === "TY")) return undefined;
  const all = (...tags: string[]) =>
    entry.flatMap(([tag = "", value = ""]) => (tags.includes(tag) && value ? [value] : []));
  const one = (...tags: string[]) => tags.flatMap((tag) => all(tag))[0];
  const [year, month, day] = (one("DA", "PY", "Y1") ?? "").split("/");
  return workOf({
    type: one("TY"),
    title: one("TI", "T1", "CT"),
    date: dateOf(year, month, day) ?? dateOf(one("PY", "Y1")?.slice(0, 4)),
    creators: all("AU", "A1").map(named),
    abstract: one("AB", "N2"),
    publisher: one("PB"),
    version: one("ET"),
    subjects: all("KW"),
    doi: one("DO", "UR"),
  });
}

interface CslName {
  family?: string;
  given?: string;
  literal?: string;
  ORCID?: string;
}

function fromCsl(text: string): ReadWork | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const item = [value].flat()[0] as Record<string, unknown> | undefined;
  if (typeof item !== "object" || item === null || typeof item.title !== "string") return undefined;
  const text1 = (name: string) => (typeof item[name] === "string" ? item[name] : undefined);
  const [parts = []] = ((item.issued as { "date-parts"?: (string | number)[][] })?.["date-parts"] ?? []) as (
    | string
    | number
  )[][];
  const authors = Array.isArray(item.author) ? (item.author as CslName[]) : [];
  return workOf({
    type: text1("type"),
    title: item.title,
    date: dateOf(parts[0], parts[1], parts[2]),
    creators: authors.flatMap(({ family, given, literal, ORCID }) => {
      if (family) return [person(family, given, ORCID)];
      return literal ? [organisation(literal)] : [];
    }),
    abstract: text1("abstract"),
    publisher: text1("publisher"),
    version: text1("version"),
    subjects: listed(text1("keyword")),
    doi: text1("DOI"),
  });
}

function fromCff(text: string): ReadWork | undefined {
  if (!/^cff-version:/m.test(text)) return undefined;
  const file = parseYaml(text);
  const word = (name: string) => (typeof file[name] === "string" ? file[name] : undefined);
  const authors = (Array.isArray(file.authors) ? file.authors : []).filter((one) => typeof one === "object");
  const keywords = Array.isArray(file.keywords) ? file.keywords.filter((one) => typeof one === "string") : [];
  return workOf({
    type: word("type") ?? "software",
    title: word("title"),
    date: word("date-released"),
    creators: authors.flatMap((one) => {
      if (one["family-names"]) return [person(one["family-names"], one["given-names"], one.orcid, one.affiliation)];
      return one.name ? [organisation(one.name)] : [];
    }),
    abstract: word("abstract"),
    version: word("version"),
    subjects: keywords,
    doi: word("doi"),
  });
}

/** Parses BibTeX, RIS, CSL-JSON, CITATION.cff or a bare DOI; undefined for anything else. */
export function readWork(text: string): ReadWork | undefined {
  for (const read of [fromCsl, fromCff, fromBibtex, fromRis]) {
    const work = read(text);
    if (work) return work;
  }
  const alone = text.trim().replace(/^(https?:\/\/(dx\.)?doi\.org\/|doi:\s*)/i, "");
  return doiPattern.exec(alone)?.[0] === alone && alone ? { metadata: {}, doi: alone } : undefined;
}
