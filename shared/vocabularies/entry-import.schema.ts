import { z } from "zod";
import {
  agentSchemes,
  detectScheme,
  isValidIdentifier,
  normaliseIdentifier,
  workSchemes,
} from "../identifiers/scheme.schema.ts";
import { describeIssues } from "../kernel/parse.ts";
import type { EntryIdentifier, VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

const word = z.string().trim().min(1);
const texts = z.record(z.string(), z.string());
/** A plain text counts as English. */
const localised = z.union([texts, word.transform((en) => ({ en }))]);
const schemes = [...agentSchemes, ...workSchemes];
/** As in a record (records 8.3): an absent scheme is detected, and the value is put in normal form. */
const identifiers = z.array(
  z.object({ scheme: word.optional(), identifier: word }).transform((sent, { issues }): EntryIdentifier => {
    const { identifier } = sent;
    const scheme = sent.scheme ?? detectScheme(identifier, schemes);
    if (scheme === undefined) {
      const message = "No valid scheme recognized for identifier.";
      issues.push({ code: "custom", message, input: identifier, path: ["scheme"] });
      return z.NEVER;
    }
    const known = schemes.find((name) => name === scheme);
    const isKept = known === undefined || !isValidIdentifier(known, identifier);
    return { scheme, identifier: isKept ? identifier : normaliseIdentifier(known, identifier) };
  }),
);
const generic = {
  id: word,
  title: localised,
  description: localised.optional(),
  icon: word.optional(),
  props: texts.optional(),
  tags: z.array(word).optional(),
};
const organisation = {
  id: word,
  name: word,
  acronym: word.optional(),
  country: word.optional(),
  title: localised.optional(),
  identifiers: identifiers.optional(),
};

const rowSchemas = {
  generic: z.object(generic),
  affiliations: z.object(organisation),
  funders: z.object(organisation),
  subjects: z.object({
    id: word,
    subject: word,
    scheme: word.optional(),
    title: localised.optional(),
    props: texts.optional(),
  }),
  names: z.object({
    id: word,
    name: word.optional(),
    given_name: word.optional(),
    family_name: word.optional(),
    identifiers: identifiers.optional(),
    affiliations: z.array(z.object({ id: word.optional(), name: word.optional() })).optional(),
  }),
  awards: z.object({
    id: word,
    number: z.coerce.string().min(1),
    title: localised.optional(),
    acronym: word.optional(),
    funder: z.object({ id: word, name: word.optional() }).optional(),
    identifiers: identifiers.optional(),
  }),
};

const bareRor = (id: string): string => normaliseIdentifier("ror", id);

/** One organisation of a ROR dump, schema 2: names with types, locations, external ids. */
const rorV2 = z
  .object({
    id: z.string().regex(/ror\.org\//),
    names: z.array(z.object({ value: word, types: z.array(z.string()), lang: z.string().nullish() })).min(1),
    locations: z.array(z.object({ geonames_details: z.object({ country_code: z.string().optional() }) })).optional(),
    external_ids: z
      .array(z.object({ type: z.string(), preferred: z.string().nullish(), all: z.array(z.string()) }))
      .optional(),
  })
  .transform(({ id, names, locations, external_ids = [] }) => {
    const shown = names.find(({ types }) => types.includes("ror_display")) ?? names[0];
    const labels = names.filter(({ types, lang }) => lang && types.includes("label"));
    const others = external_ids.flatMap(({ type, preferred, all }): EntryIdentifier[] => {
      const identifier = preferred ?? all[0];
      return identifier && ["grid", "isni"].includes(type) ? [{ scheme: type, identifier }] : [];
    });
    return {
      id: bareRor(id),
      name: shown?.value ?? "",
      acronym: names.find(({ types }) => types.includes("acronym"))?.value,
      country: locations?.[0]?.geonames_details.country_code,
      title: { en: shown?.value ?? "", ...Object.fromEntries(labels.map(({ lang, value }) => [lang ?? "", value])) },
      identifiers: [{ scheme: "ror", identifier: bareRor(id) }, ...others],
    };
  });

/** One organisation of a ROR dump, schema 1. */
const rorV1 = z
  .object({
    id: z.string().regex(/ror\.org\//),
    name: word,
    acronyms: z.array(z.string()),
    labels: z.array(z.object({ label: z.string(), iso639: z.string().nullish() })).optional(),
    country: z.object({ country_code: z.string() }).optional(),
  })
  .transform(({ id, name, acronyms, labels = [], country }) => ({
    id: bareRor(id),
    name,
    acronym: acronyms[0],
    country: country?.country_code,
    title: { en: name, ...Object.fromEntries(labels.map(({ label, iso639 }) => [iso639 ?? "", label])) },
    identifiers: [{ scheme: "ror", identifier: bareRor(id) }],
  }));

/** `family, given`, for a person without a name. */
function withName(entry: VocabularyEntry): VocabularyEntry {
  if (entry.name !== undefined) return entry;
  const name = [entry.family_name, entry.given_name].filter(Boolean).join(", ");
  return { ...entry, name: name === "" ? entry.id : name };
}

const isOrganisation = (type: VocabularyType): boolean => type === "affiliations" || type === "funders";

/** Chooses the schema by the keys of the row, so that errors name the right one. */
function schemaFor(type: VocabularyType, row: unknown): z.ZodType<VocabularyEntry> {
  if (isOrganisation(type)) {
    const keys = typeof row === "object" && row !== null ? row : {};
    if ("names" in keys) return rorV2;
    return "acronyms" in keys ? rorV1 : rowSchemas.affiliations;
  }
  if (type === "subjects" || type === "names" || type === "awards") return rowSchemas[type];
  return rowSchemas.generic;
}

/** Columns with a value for each language or name, such as `title.en`. */
const nested = new Set(["title", "description", "props", "funder"]);

/** Whether a column of a CSV file is read. */
export function isReadColumn(type: VocabularyType, column: string): boolean {
  const [outer = "", inner] = column.split(".");
  const { shape } = rowSchemas[type in rowSchemas ? (type as keyof typeof rowSchemas) : "generic"];
  return Object.hasOwn(shape, outer) && (inner === undefined || (inner !== "" && nested.has(outer)));
}

/** The result for a row: an entry, or why it was refused. */
export type ImportedRow = { entry: VocabularyEntry } | { refusal: string };

/** Parses one row of an import file (hosts-and-sync 2, `vocabularies import`). */
export function readImportedRow(type: VocabularyType, row: unknown): ImportedRow {
  const outcome = schemaFor(type, row).safeParse(row);
  if (!outcome.success) {
    const [refusal = "not an entry"] = describeIssues(outcome.error.issues, row, "the row");
    return { refusal };
  }
  const entry = JSON.parse(JSON.stringify(outcome.data)) as VocabularyEntry;
  return { entry: type === "names" ? withName(entry) : entry };
}
