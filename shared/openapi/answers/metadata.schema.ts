import { z } from "zod";
import { localised } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const text = z.string();
const entry = named(
  "VocabularyValue",
  "An entry of a vocabulary, with its title.",
  z.object({ id: text, title: localised.optional() }),
);
const identifier = z.object({ identifier: text.optional(), scheme: text.optional() });

const agent = named(
  "Contributor",
  "A person or organisation with role and affiliations.",
  z.object({
    person_or_org: z
      .object({
        type: z.enum(["personal", "organizational"]),
        name: text.describe("`family, given`, or the organisation's"),
        given_name: text,
        family_name: text,
        identifiers: z.array(identifier),
      })
      .partial()
      .optional(),
    role: entry.optional(),
    affiliations: z.array(z.object({ id: text.optional(), name: text.optional() })).optional(),
  }),
);

const right = z.object({
  id: text,
  title: localised,
  description: localised,
  link: text,
  icon: text,
  props: z.record(text, text),
});

const place = z.object({
  geometry: z.object({ type: text, coordinates: z.array(z.unknown()) }),
  place: text,
  description: text,
  identifiers: z.array(identifier),
});

const funding = z.object({
  funder: z.object({ id: text, name: text }).partial().optional(),
  award: z
    .object({
      id: text,
      title: z.union([text, localised]),
      number: text,
      acronym: text,
      identifiers: z.array(identifier),
    })
    .partial()
    .optional(),
});

/** What is stored of metadata, entries of vocabularies spelled out (records 8); of a draft any part may be absent. */
export const metadata = named(
  "Metadata",
  "What describes a record. In a draft any part may still be absent.",
  z
    .object({
      resource_type: entry,
      title: text,
      publication_date: text.describe("EDTF date or interval"),
      creators: z.array(agent),
      contributors: z.array(agent),
      additional_titles: z.array(z.object({ title: text, type: entry, lang: entry }).partial()),
      description: text.describe("HTML"),
      additional_descriptions: z.array(z.object({ description: text, type: entry, lang: entry }).partial()),
      publisher: text,
      version: text,
      languages: z.array(entry),
      subjects: z.array(z.object({ id: text, subject: text, scheme: text }).partial()),
      dates: z.array(z.object({ date: text, type: entry, description: text }).partial()),
      rights: z.array(right.partial()),
      copyright: text.describe("HTML"),
      identifiers: z.array(identifier),
      related_identifiers: z.array(
        identifier.extend({ relation_type: entry.optional(), resource_type: entry.optional() }),
      ),
      references: z.array(identifier.extend({ reference: text.optional() })),
      sizes: z.array(text),
      formats: z.array(text),
      locations: z.object({ features: z.array(place.partial()) }).partial(),
      funding: z.array(funding),
    })
    .partial(),
);
