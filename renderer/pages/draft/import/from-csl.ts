import { isObject } from "../../../../shared/kernel/json.ts";
import type { Appeared } from "./appeared.ts";
import {
  affiliated,
  dateOf,
  isDoiAddress,
  joined,
  listed,
  organisation,
  person,
  type ReadCreator,
  type ReadWork,
  withRest,
  workOf,
} from "./work.ts";

interface CslName {
  family?: string;
  given?: string;
  literal?: string;
  ORCID?: string;
  "non-dropping-particle"?: string;
  "dropping-particle"?: string;
  suffix?: string;
  affiliation?: unknown;
}

/** Keys of a CSL name that `authorOf` reads, and those that only say how it is shown or whose word an ORCID is. */
const nameRead = new Set(
  `family given literal ORCID non-dropping-particle dropping-particle suffix affiliation sequence authenticated-orcid
  comma-suffix static-ordering parse-names`.split(/\s+/),
);

/** Those of an organisation. A draft has no place for its ORCID. */
const organisationRead = new Set([...nameRead].filter((key) => key !== "ORCID"));

/** A value of an unknown kind as a text; nothing for an empty one. */
function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** Crossref writes `[{ "name": … }]`, others texts. */
const affiliationsOf = ({ affiliation }: CslName): string[] =>
  [affiliation].flat().flatMap((one) => {
    const name = isObject(one) ? one.name : one;
    return typeof name === "string" && name.trim() ? [name.trim()] : [];
  });

/** "van" in front of a family name belongs to it, unless lists leave it out: that one follows the given names. */
function authorOf(name: CslName): ReadCreator[] {
  const { family, given, literal, ORCID, suffix } = name;
  const orcid = String(ORCID ?? "");
  const allGiven = joined(given, name["dropping-particle"]);
  const affiliations = affiliationsOf(name);
  const rest = (creator: ReadCreator) => [withRest(creator, name, nameRead, textOf)];
  if (family) return rest(person(joined(name["non-dropping-particle"], family, suffix), allGiven, orcid, affiliations));
  if (literal) {
    return [withRest({ ...organisation(literal), ...affiliated(affiliations) }, name, organisationRead, textOf)];
  }
  return allGiven ? rest(person(allGiven, "", orcid, affiliations)) : [];
}

/** Each CSL-JSON item as a work; among items with a title one may lack it. */
export function fromCsl(text: string): ReadWork[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  // Zotero's export for its own use wraps the list.
  const list = isObject(value) && Array.isArray(value.items) ? value.items : [value].flat();
  const items = list.filter(isObject);
  return items.some(({ title }) => typeof title === "string") ? items.map(workOfItem) : [];
}

function workOfItem(item: Record<string, unknown>): ReadWork {
  const text1 = (name: string) => {
    const [first] = [item[name]].flat();
    return typeof first === "string" || typeof first === "number" ? String(first) : undefined;
  };
  const [parts = []] = ((item.issued as { "date-parts"?: (string | number)[][] })?.["date-parts"] ?? []) as (
    | string
    | number
  )[][];
  const authors = Array.isArray(item.author) ? (item.author.filter(isObject) as CslName[]) : [];
  return workOf({
    type: text1("type"),
    title: text1("title"),
    date: dateOf(parts[0], parts[1], parts[2]),
    creators: authors.flatMap(authorOf),
    abstract: text1("abstract"),
    publisher: text1("publisher"),
    version: text1("version"),
    subjects: listed(text1("keyword")),
    doi: text1("DOI") ?? text1("URL"),
    appeared: cslAppeared(text1("type"), text1),
    unplaced: Object.entries(item).flatMap(([name, value]) => {
      const isImported = cslRead.has(name) || (name === "URL" && isDoiAddress(String(value)));
      const text = isImported ? "" : textOf(value);
      return text ? [{ name, value: text }] : [];
    }),
  });
}

/** Keys of a CSL item that `fromCsl` reads, and those that only say which item it is. */
const cslRead = new Set(
  `id type title issued author abstract publisher version keyword DOI container-title volume issue page ISSN ISBN
  publisher-place edition event event-title event-place genre citation-key`.split(/\s+/),
);

function cslAppeared(type: string | undefined, text: (name: string) => string | undefined): Appeared {
  const isThesis = type === "thesis";
  const isInBook = ["chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"].includes(type ?? "");
  return {
    [isInBook ? "book" : "journal"]: text("container-title"),
    volume: text("volume"),
    issue: text("issue"),
    pages: text("page"),
    issn: text("ISSN"),
    isbn: text("ISBN"),
    place: text("publisher-place"),
    edition: text("edition"),
    meeting: text("event-title") ?? text("event"),
    meetingPlace: text("event-place"),
    ...(isThesis ? { university: text("publisher"), thesisType: text("genre") } : {}),
  };
}
