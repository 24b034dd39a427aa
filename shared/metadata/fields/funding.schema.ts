import { z } from "zod";
import { workSchemes } from "../../identifiers/scheme.schema.ts";
import type { LocalisedText } from "../../vocabularies/vocabulary.schema.ts";
import { asWhole, type Field, list, object, presented, report, required, searched } from "../field.schema.ts";
import { identifiersOf } from "../identifiers.schema.ts";
import { valuePlace } from "../place.schema.ts";
import { localised, text } from "../text.schema.ts";
import { entryId } from "../vocabulary-value.schema.ts";

const funderObject = object(
  { id: entryId("funders"), name: text() },
  {
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, name }, path, check) => {
      if (!id && !name) report(check, path, "An existing id or a free text name must be present.");
    },
  },
);

const funder = presented(funderObject, funderObject.answer, (value, lookups) => {
  const name = value.id === undefined ? value.name : lookups.findEntry("funders", value.id)?.name;
  return { ...value, ...(name === undefined ? {} : { name }) };
});

const inOneLanguage = localised();
const plainText = text();

/** An award's title: a text, or a map with one locale key. */
const awardTitle: Field<string | LocalisedText> = {
  shape: z.union([plainText.shape, inOneLanguage.shape]),
  answer: z.union([plainText.answer, inOneLanguage.answer]),
  place: valuePlace,
  read: (input, path, check) =>
    typeof input === "string" ? plainText.read(input, path, check) : inOneLanguage.read(input, path, check),
  expand: (value) => value,
};

const awardOutputKeys = ["title", "number", "identifiers", "acronym"] as const;

const identifiers = identifiersOf(workSchemes);

const awardObject = object(
  {
    id: entryId("awards"),
    title: awardTitle,
    number: text(),
    identifiers,
  },
  {
    prepare: (input) => {
      if (typeof input.id !== "string") return input;
      return Object.fromEntries(Object.entries(input).filter(([key]) => !awardOutputKeys.some((name) => name === key)));
    },
    rule: ({ id, title, number }, path, check) => {
      if (!id && !(title && number)) report(check, path, "An existing id or number/title must be present.");
    },
  },
);

const awardAnswer = z
  .object({
    id: z.string(),
    title: awardTitle.answer,
    number: z.string(),
    acronym: z.string(),
    identifiers: identifiers.answer,
  })
  .partial();

const award = presented(awardObject, awardAnswer, (value, lookups) => {
  const entry = value.id === undefined ? undefined : lookups.findEntry("awards", value.id);
  if (!entry) return { ...value };
  const { title, number, identifiers, acronym } = entry;
  return {
    ...value,
    ...(title ? { title } : {}),
    ...(number ? { number } : {}),
    ...(identifiers ? { identifiers } : {}),
    ...(acronym ? { acronym } : {}),
  };
});

/** `metadata.funding[]`. */
export const funding = searched(list(object({ funder: asWhole(required(funder)), award: asWhole(award) })), {
  "metadata.funding.funder.name": { kind: "text", bareWords: { weight: 1, column: 21 } },
  "metadata.funding.award.number": { kind: "text", bareWords: { weight: 2, column: 22 } },
  "metadata.funding.award.number.keyword": { kind: "keyword" },
  "metadata.funding.award.acronym.text": { kind: "text", bareWords: { weight: 1, column: 23 } },
  "metadata.funding.award.identifiers.identifier": { kind: "text", bareWords: { weight: 1, column: 24 } },
});
