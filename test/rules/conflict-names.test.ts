import fc from "fast-check";
import { expect, test } from "vitest";
import { freeConflictName, restoredName } from "../../shared/files/file.lifecycle.ts";
import { fileName } from "../../shared/files/file-name.schema.ts";

const day = "2026-11-21";

test("a conflict name keeps the extension, and the end of a long stem goes (hosts-and-sync 4, records 6.2)", () => {
  expect(freeConflictName("data/a.csv", "ada", day, new Set())).toBe("data/a (conflict, ada, 2026-11-21).csv");
  const long = `data/${"x".repeat(246)}.csv`;
  const first = freeConflictName(long, "ada", day, new Set([long]));
  expect(first).toMatch(/^data\/x+ \(conflict, ada, 2026-11-21\)\.csv$/);
  expect(first).toHaveLength(255);
  expect(freeConflictName(long, "ada", day, new Set([long, first]))).toMatch(/2026-11-21\) 2\.csv$/);
});

test("each name that is made for a file can be used as one, so that the file can be deleted and renamed (records 6.2)", () => {
  const part = fc.string({ minLength: 1, maxLength: 255, unit: "grapheme" });
  const name = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"))
    .filter((text) => fileName.safeParse(text).success);
  fc.assert(
    fc.property(name, fc.stringMatching(/^[a-z][a-z0-9_-]{0,60}$/), (key, username) => {
      const taken = new Set([key]);
      for (const made of [freeConflictName(key, username, day, taken), restoredName(key, taken)]) {
        expect(fileName.safeParse(made).success).toBe(true);
        expect(made).not.toBe(key);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
