import { z } from "zod";
import { workSchemes } from "../../identifiers/scheme.schema.ts";
import type { LocalisedText, VocabularyEntry } from "../../vocabularies/vocabulary.schema.ts";
import { type Field, list, object, presented, report, required, type ValueOf } from "./field.schema.ts";
import { identifier } from "./identifiers.schema.ts";
import { localised, text } from "./text.schema.ts";
import { entryId } from "./vocabulary-value.schema.ts";

const funderObject = object(
  { id: entryId("funders"), name: text() },
  {
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, name }, path, check) => {
      if (!id && !name) report(check, path, "An existing id or a free text name must be present.");
    },
  },
);

const funder = presented(funderObject, (value, lookups) => {
  const name = value.id === undefined ? value.name : lookups.findEntry("funders", value.id)?.name;
  return { ...value, ...(name === undefined ? {} : { name }) };
});

const inOneLanguage = localised();
const plainText = text();

/** An award's title: a text, or a map with one locale key. */
const awardTitle: Field<string | LocalisedText> = {
  shape: z.union([plainText.shape, inOneLanguage.shape]),
  read: (input, path, check) =>
    typeof input === "string" ? plainText.read(input, path, check) : inOneLanguage.read(input, path, check),
  expand: (value) => value,
};

const awardOutputKeys = ["title", "number", "identifiers", "acronym"] as const;

const awardObject = object(
  {
    id: entryId("awards"),
    title: awardTitle,
    number: text(),
    identifiers: list(identifier(workSchemes)),
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

type ExpandedAward = ValueOf<typeof awardObject> & Pick<VocabularyEntry, "acronym">;

const award = presented(awardObject, (value, lookups): ExpandedAward => {
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
export const funding = list(object({ funder: required(funder), award }));
