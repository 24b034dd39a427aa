import fc from "fast-check";
import { expect, test } from "vitest";
import { expandMetadata, validateMetadata } from "../../shared/metadata/metadata.schema.ts";
import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";

const lookups = { findEntry: findShippedEntry, cleanHtml };
const cases = Number(process.env.RUNS ?? 1500);

test(`${cases} random metadata: never a throw, what is stored validates again, a GET body changes nothing (records 3.3)`, {
  timeout: 300_000 + cases * 100,
}, () => {
  let withoutProblems = 0;
  fc.assert(
    fc.property(anyMetadata, (generated) => {
      // As a body arrives; this also turns -0 into 0.
      const input: unknown = JSON.parse(JSON.stringify(generated));
      const { value, problems } = validateMetadata(input, lookups);
      if (problems.length === 0) withoutProblems += 1;
      expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value);
      expect(validateMetadata(value, lookups).value).toStrictEqual(value);
      const answer: unknown = JSON.parse(JSON.stringify(expandMetadata(value, lookups)));
      expect(validateMetadata(answer, lookups).value).toStrictEqual(value);
      for (const { field, messages } of problems) {
        expect(field.startsWith("metadata")).toBe(true);
        expect(messages.length).toBeGreaterThan(0);
      }
    }),
    { seed: 20261121, numRuns: cases },
  );
  // A good part of the cases is valid, else the property would prove little.
  expect(withoutProblems).toBeGreaterThan(cases / 20);
});
