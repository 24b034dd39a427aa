import { dateFormat } from "../kernel/date-formats.ts";
import {
  type Agent,
  addressOf,
  creatorsOf,
  datePartsOf,
  type PresentedRecord,
  textIn,
  yearOf,
} from "./presented-record.ts";

/** The parts of a reference; unknown ones are empty. */
interface Reference {
  creators: Agent[];
  title: string;
  version: string;
  /** The type of the work, except for publications. */
  kind: string;
  publisher: string;
  year: string;
  /** The date with its known precision, in the requested language. */
  date: string;
  address: string;
}

const initials = ({ given = "" }: Agent, stop: string, between: string): string =>
  given
    .split(/[\s.]+/)
    .filter(Boolean)
    .map((name) => name.replace(/^([^-])[^-]*/, `$1${stop}`).replace(/-([^-])[^-]*/g, `-$1${stop}`))
    .join(between);

const familyFirst = (agent: Agent, given: string): string =>
  agent.family ? [agent.family, given].filter(Boolean).join(", ") : agent.name;
const givenFirst = (agent: Agent, given: string): string =>
  agent.family ? [given, agent.family].filter(Boolean).join(" ") : agent.name;
const abbreviated = (agent: Agent): string => familyFirst(agent, initials(agent, ".", " "));

/** `a, b, and c`; two names without a comma if `pair` is given. */
function listed(names: readonly string[], last: string, pair = last): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")}${names.length === 2 ? pair : last}${names.at(-1)}`;
}

/** A shortened list of names with the text for the rest; undefined if there are few enough. */
const shortened = (names: string[], most: number, kept: number, rest: string): string[] | undefined =>
  names.length > most ? [...names.slice(0, kept), rest] : undefined;

const withStop = (text: string): string => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);
/** Joins the parts as sentences, without empty ones. */
const sentences = (...parts: string[]): string => parts.filter(Boolean).map(withStop).join(" ");
const inside = (before: string, text: string, after: string): string => (text === "" ? "" : `${before}${text}${after}`);
const versionOf = ({ version }: Reference): string => inside("Version ", version, "");
/** Appends the URL without a full stop, so that it can be clicked. */
const ended = (text: string, address: string): string => [text, address].filter(Boolean).join(" ");

function apa(reference: Reference): string {
  const { creators, title, kind, publisher, year, address } = reference;
  const all = creators.map(abbreviated);
  // Of more than 20 names, the first 19 and the last.
  const rest = `… ${all.at(-1)}`;
  const names = shortened(all, 20, 19, rest)?.join(", ") ?? listed(all, ", & ");
  const about = [title, inside("(", versionOf(reference), ")"), inside("[", kind, "]")].filter(Boolean).join(" ");
  const date = `(${year || "n.d."})`;
  const head = names === "" ? `${withStop(about)} ${date}.` : `${withStop(names)} ${date}. ${withStop(about)}`;
  return ended(sentences(head, publisher), address);
}

function harvard(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const all = creators.map(abbreviated);
  const names = listed(shortened(all, 3, 1, "et al.") ?? all, " and ").replace(" and et al.", " et al.");
  const head = `${inside("", names, " ")}(${year || "no date"}) ‘${title}’`;
  return ended(sentences(head, versionOf(reference), publisher), inside("Available at: ", address, ""));
}

function ieee(reference: Reference): string {
  const { creators, title, publisher, date, address } = reference;
  const all = creators.map((agent) => givenFirst(agent, initials(agent, ".", " ")));
  const names = listed(shortened(all, 6, 1, "et al.") ?? all, ", and ", " and ").replace(" and et al.", " et al.");
  const tail = [versionOf(reference), publisher, date].filter(Boolean).join(", ");
  return ended(`${inside("", names, ", ")}“${title}${tail ? "," : "."}”${inside(" ", tail, ".")}`, address);
}

/** The first name inverted (family name first), the others in their natural order. */
function spelledOut(creators: readonly Agent[], most: number): string {
  const names = creators.map((agent, at) =>
    at === 0 ? familyFirst(agent, agent.given ?? "") : givenFirst(agent, agent.given ?? ""),
  );
  return names.length > most ? `${names[0]}, et al` : listed(names, ", and ");
}

function mla(reference: Reference): string {
  const { creators, title, publisher, date, address } = reference;
  const tail = [versionOf(reference), publisher, date, address].filter(Boolean).join(", ");
  return sentences(spelledOut(creators, 2), title, tail);
}

function chicago(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const parts = [spelledOut(creators, 10), year || "n.d.", `“${withStop(title)}”`].filter(Boolean);
  const head = parts.map((part) => (part.endsWith("”") ? part : withStop(part))).join(" ");
  return ended([head, sentences(versionOf(reference), publisher)].filter(Boolean).join(" "), address);
}

/** The bibliography of notes: the full date, and the title in quotes as of all that is no book. */
function chicagoNotes(reference: Reference): string {
  const { creators, title, publisher, date, address } = reference;
  const names = spelledOut(creators, 10);
  const head = [inside("", names && withStop(names), ""), `“${withStop(title)}”`].filter(Boolean).join(" ");
  const source = [publisher, date].filter(Boolean).join(", ");
  return ended([head, sentences(versionOf(reference), source)].filter(Boolean).join(" "), address);
}

/** Names as `Hopper GB`. */
const withoutStops = (agent: Agent): string =>
  agent.family ? [agent.family, initials(agent, "", "")].filter(Boolean).join(" ") : agent.name;

/** Of more than five names, the first. The year stands last, in brackets. */
function nature(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const all = creators.map(abbreviated);
  const names = all.length > 5 ? `${all[0]} et al.` : listed(all, " & ");
  const source = [publisher, address].filter(Boolean).join(" ");
  return `${sentences(names, title, versionOf(reference))} ${source} ${inside("(", year, ").")}`;
}

function science(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const all = creators.map((agent) => givenFirst(agent, initials(agent, ".", " ")));
  const names = (shortened(all, 5, 1, "et al.") ?? all).join(", ").replace(", et al.", " et al.");
  const source = [publisher, inside("(", year, ")")].filter(Boolean).join(" ");
  const about = [names, title, versionOf(reference), source].filter(Boolean).join(", ");
  return [about, address].filter(Boolean).join("; ");
}

function councilOfScienceEditors(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const all = creators.map(withoutStops);
  const names = (shortened(all, 10, 10, "et al") ?? all).join(", ");
  const source = [publisher, year].filter(Boolean).join("; ");
  return ended(sentences(names, title, versionOf(reference), source), address);
}

function vancouver(reference: Reference): string {
  const { creators, title, publisher, year, address } = reference;
  const all = creators.map(withoutStops);
  const names = (shortened(all, 6, 6, "et al") ?? all).join(", ");
  const source = [publisher, year].filter(Boolean).join("; ");
  return ended(
    sentences(names, `${title} [Internet]`, versionOf(reference), source),
    inside("Available from: ", address, ""),
  );
}

/** The offered styles by their CSL names. */
const styles = {
  apa,
  "chicago-author-date": chicago,
  "chicago-fullnote-bibliography": chicagoNotes,
  "council-of-science-editors": councilOfScienceEditors,
  "harvard-cite-them-right": harvard,
  ieee,
  "modern-language-association": mla,
  nature,
  science,
  vancouver,
} as const;
export type BibliographyStyle = keyof typeof styles;
export const bibliographyStyles = Object.keys(styles) as BibliographyStyle[];

/** Short names that people and clients use for these styles. */
const otherNames = new Map<string, BibliographyStyle>(
  Object.entries({
    chicago: "chicago-author-date",
    "chicago-fullnote": "chicago-fullnote-bibliography",
    cse: "council-of-science-editors",
    harvard: "harvard-cite-them-right",
    harvard1: "harvard-cite-them-right",
    mla: "modern-language-association",
  } as const),
);

/** The style of a name in any case, with or without `.csl`; undefined for an unknown one. */
export function styleNamed(name: string): BibliographyStyle | undefined {
  const plain = name.toLowerCase().replace(/\.csl$/, "");
  return bibliographyStyles.find((style) => style === plain) ?? otherNames.get(plain);
}

const datesBy = {
  year: { year: "numeric", timeZone: "UTC" },
  month: { year: "numeric", month: "long", timeZone: "UTC" },
  day: { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" },
} as const;

function dateIn(record: PresentedRecord, locale: string): string {
  const [year, month, day] = datePartsOf(record) ?? [];
  if (year === undefined || !Number.isInteger(year)) return "";
  // Starts from a leap year and sets the year afterwards, because Date.UTC maps years below 100 to the last century.
  const date = new Date(Date.UTC(2000, (month ?? 1) - 1, day ?? 1)).setUTCFullYear(year);
  const precision = !month ? "year" : day ? "day" : "month";
  return dateFormat(locale, datesBy[precision]).format(date);
}

/** A record as a plain text reference. */
export function bibliographyOf(record: PresentedRecord, locale: string, style: BibliographyStyle): string {
  const { metadata } = record;
  const type = metadata.resource_type;
  const isPublication = type === undefined || type.id?.startsWith("publication");
  return styles[style]({
    creators: creatorsOf(record),
    title: metadata.title ?? "",
    version: (metadata.version ?? "").replace(/^v(?=\d)/i, ""),
    kind: isPublication ? "" : (textIn(type.title, locale) ?? ""),
    publisher: metadata.publisher ?? "",
    year: yearOf(record) ?? "",
    date: dateIn(record, locale),
    address: addressOf(record) ?? "",
  })
    .replace(/\s+/g, " ")
    .trim();
}
