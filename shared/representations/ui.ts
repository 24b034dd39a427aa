import { dateFormat } from "../kernel/date-formats.ts";
import { parseTime } from "../kernel/timestamps.ts";
import { displayName } from "../metadata/fields/creators.schema.ts";
import type { ExpandedMetadata } from "../metadata/metadata.schema.ts";
import type { LocalisedText } from "../vocabularies/vocabulary.schema.ts";
import {
  accessStatusDescriptions,
  accessStatusIcons,
  accessStatusTitles,
  embargoSentences,
} from "./access-status-words.ts";
import { type PresentedRecord, textIn, textOfHtml } from "./presented-record.ts";

type DateStyle = "medium" | "long";

const wholeDay: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  medium: { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" },
  long: { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" },
};

const wholeMonth: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  medium: { year: "numeric", month: "short", timeZone: "UTC" },
  long: { year: "numeric", month: "long", timeZone: "UTC" },
};

/** Formats a date with its precision: year, month and year, or day. */
function formatDate(date: string, style: DateStyle, locale: string): string {
  const [year = "", month, day] = date.slice(0, 10).split("-");
  if (month === undefined) return year;
  const format = dateFormat(locale, (day === undefined ? wholeMonth : wholeDay)[style]);
  const instant = new Date(0);
  instant.setUTCFullYear(Number(year), Number(month) - 1, Number(day ?? 1));
  return format.format(instant);
}

/** Formats a date or interval; an open end stays open. */
export function edtfInWords(edtf: string, style: DateStyle, locale: string): string {
  const parts = edtf.split("/");
  return parts
    .map((part) => (part === "" ? "" : formatDate(part, style, locale)))
    .join(" – ")
    .trim();
}

function formatTime(time: string, style: DateStyle, locale: string): string | undefined {
  const micros = parseTime(time);
  return micros === undefined
    ? undefined
    : dateFormat(locale, wholeDay[style]).format(new Date(Math.floor(micros / 1000)));
}

interface Titled {
  id: string;
  title?: LocalisedText;
}

const titleOf = (value: Titled | undefined, locale: string) =>
  value && { id: value.id, title_l10n: textIn(value.title, locale) ?? value.id };

/** Affiliations as `[[1, "CERN", "01ggx4157"], …]`, and for each person their numbers. */
function agentsOf(agents: NonNullable<ExpandedMetadata["contributors"]>, locale: string, key: string) {
  const numbers = new Map<string, number>();
  const affiliations: [number, string, string | null][] = [];
  const numberOf = (name: string, id: string | undefined): number => {
    const known = numbers.get(id ?? name);
    if (known !== undefined) return known;
    affiliations.push([affiliations.length + 1, name, id ?? null]);
    numbers.set(id ?? name, affiliations.length);
    return affiliations.length;
  };
  const people = agents.map(({ person_or_org: person, role, affiliations: own = [] }) => ({
    person_or_org: { ...person, name: displayName(person ?? {}) ?? "" },
    ...(role ? { role: { id: role.id, title: textIn(role.title, locale) ?? role.id } } : {}),
    affiliations: own.flatMap(({ id, name }) => (name ? [[numberOf(name, id), name]] : [])),
  }));
  return { affiliations, [key]: people };
}

function accessStatusOf({ access }: PresentedRecord, locale: string) {
  const id = access?.status ?? "open";
  const until = access?.embargo?.active ? access.embargo.until : undefined;
  const end = until === undefined ? undefined : formatDate(until, "long", locale);
  const sentence =
    end && textIn(embargoSentences.get(access?.record ?? "public"), locale)?.replace("{date}", () => end);
  return {
    id,
    title_l10n: textIn(accessStatusTitles.get(id), locale) ?? id,
    description_l10n: sentence ?? textIn(accessStatusDescriptions.get(id), locale) ?? "",
    icon: accessStatusIcons[id] ?? "",
    ...(end === undefined ? {} : { embargo_date_l10n: end }),
  };
}

function datesOf(record: PresentedRecord, locale: string): Record<string, string> {
  const published = record.metadata.publication_date;
  const dates: [string, string | undefined][] = [
    ["publication_date_l10n_medium", published && edtfInWords(published, "medium", locale)],
    ["publication_date_l10n_long", published && edtfInWords(published, "long", locale)],
    ["created_date_l10n_long", formatTime(record.created, "long", locale)],
    ["updated_date_l10n_long", formatTime(record.updated, "long", locale)],
  ];
  return Object.fromEntries(dates.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

/** Lists of metadata with the titles of their types; absent lists stay absent. */
function listsOf(metadata: ExpandedMetadata, locale: string): Record<string, unknown> {
  const lists = {
    languages: metadata.languages?.map((language) => titleOf(language, locale)),
    rights: metadata.rights?.map(({ title, description, ...right }) => ({
      ...right,
      title_l10n: textIn(title, locale),
      description_l10n: textIn(description, locale),
    })),
    additional_titles: metadata.additional_titles?.map(({ type, lang, ...rest }) => ({
      ...rest,
      type: titleOf(type, locale),
      lang: titleOf(lang, locale),
    })),
    additional_descriptions: metadata.additional_descriptions?.map(({ type, lang, ...rest }) => ({
      ...rest,
      type: titleOf(type, locale),
      lang: titleOf(lang, locale),
    })),
    dates: metadata.dates?.map(({ date, type, description }) => ({
      date,
      date_l10n: date && edtfInWords(date, "medium", locale),
      type: titleOf(type, locale),
      description,
    })),
    funding: metadata.funding?.map(({ funder, award }) => ({
      funder,
      ...(award ? { award: { ...award, title_l10n: textIn(award.title, locale) } } : {}),
    })),
    related_identifiers: metadata.related_identifiers?.map(({ relation_type, resource_type, ...rest }) => ({
      ...rest,
      relation_type: titleOf(relation_type, locale),
      resource_type: titleOf(resource_type, locale),
    })),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined));
}

/** The `ui` key of `application/vnd.inveniordm.v1+json` (records 10): formatted values for pages. */
export function uiOf(record: PresentedRecord, locale: string): Record<string, unknown> {
  const { metadata } = record;
  return {
    ...datesOf(record, locale),
    ...(metadata.resource_type ? { resource_type: titleOf(metadata.resource_type, locale) } : {}),
    ...(metadata.description ? { description_stripped: textOfHtml(metadata.description) } : {}),
    ...(metadata.creators ? { creators: agentsOf(metadata.creators, locale, "creators") } : {}),
    ...(metadata.contributors ? { contributors: agentsOf(metadata.contributors, locale, "contributors") } : {}),
    ...listsOf(metadata, locale),
    access_status: accessStatusOf(record, locale),
    version: metadata.version || `v${record.versions?.index ?? 1}`,
    is_draft: record.is_published === false,
  };
}
