import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { inputOf } from "../../shared/documents/merge.ts";
import { readPath, writePath } from "../../shared/documents/path-text.ts";
import { validateMetadata } from "../../shared/metadata/metadata.schema.ts";
import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";

const lookups = { findEntry: findShippedEntry, cleanHtml };
const seed = { seed: 20261121, numRuns: 500 };

/** Without empty lists and objects outside of lists: a document cannot tell them from absent ones. */
function prune(value: unknown, isItem = false): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => prune(item, true));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const kept = prune(member);
    return kept === undefined ? [] : [[key, kept]];
  });
  return members.length === 0 && !isItem ? undefined : Object.fromEntries(members);
}

test("a document keeps all that validation lets through (records 3.3, 8)", () => {
  fc.assert(
    fc.property(anyMetadata, (generated) => {
      const { value } = validateMetadata(JSON.parse(JSON.stringify(generated)), lookups);
      const draft = inputOf(genesis({ ...canonical({}), metadata: value } as unknown as DraftInput));
      const wellFormed: unknown = JSON.parse(JSON.stringify(value, (_, part) => part?.toWellFormed?.() ?? part));
      expect(prune(draft.metadata) ?? {}).toEqual(prune(wellFormed) ?? {});
    }),
    seed,
  );
});

test("a path comes back from its text", () => {
  expect(writePath(["metadata", "publisher"])).toBe("metadata.publisher");
  expect(writePath(["metadata", "creators", "name:berg, a.", "role"])).toBe('metadata.creators["name:berg, a."].role');
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (path) => {
      expect(readPath(writePath(path))).toEqual(path);
    }),
    seed,
  );
});
