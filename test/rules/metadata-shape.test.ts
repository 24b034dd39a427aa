import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  expandMetadata,
  metadataField,
  searchedMetadata,
  validateMetadata,
} from "../../shared/metadata/metadata.schema.ts";
import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { fullMetadata } from "../support/presented-records.ts";

const schema = z.toJSONSchema(metadataField.shape, { io: "input" });
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

test("the described shape takes what validation takes without a word (records 8)", () => {
  expect(fits(fullMetadata)).toBe(true);
  fc.assert(
    fc.property(anyMetadata, (metadata) => {
      const input: unknown = JSON.parse(JSON.stringify(metadata));
      const { problems } = validateMetadata(input, { findEntry: findShippedEntry, cleanHtml });
      if (problems.length === 0) expect(fits(input), JSON.stringify(fits.errors)).toBe(true);
    }),
    { seed: 20261121, numRuns: 1000 },
  );
});

test("the described answer takes whatever is answered, half valid drafts included (records 3.3, 8)", () => {
  const lookups = { findEntry: findShippedEntry, cleanHtml };
  const answerFits = new Ajv2020({ strict: false }).compile(z.toJSONSchema(metadataField.answer));
  fc.assert(
    fc.property(anyMetadata, (metadata) => {
      const { value } = validateMetadata(JSON.parse(JSON.stringify(metadata)), lookups);
      expect(answerFits(expandMetadata(value, lookups)), JSON.stringify(answerFits.errors)).toBe(true);
    }),
    { seed: 20261121, numRuns: 1000 },
  );
});

test("what is required is required there too", () => {
  expect(schema.required).toEqual(["resource_type", "title", "publication_date", "creators"]);
});

test("each column of the full-text table belongs to one path (search 12)", () => {
  const columns = Object.values(searchedMetadata).flatMap(({ bareWords }) =>
    typeof bareWords === "object" ? [bareWords.column] : [],
  );
  expect(columns.toSorted((a, b) => a - b)).toEqual([...Array(25).keys()]);
});
