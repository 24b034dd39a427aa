import fc from "fast-check";
import { expect, test } from "vitest";
import type { Creator } from "../../renderer/api-client/record-types.ts";
import { withKeys } from "../../renderer/pages/draft/creators/keyed-people.ts";

const person = (family_name: string, given_name?: string): Creator => ({
  person_or_org: { type: "personal", family_name, ...(given_name ? { given_name } : {}) },
});
const [ada, bo, cy] = [person("Ada"), person("Bo"), person("Cy")];

test("a person keeps the key when they move, and their row stays the same object (app M18)", () => {
  const before = withKeys([ada, bo, cy], []);
  const after = withKeys([bo, ada, cy], before);
  expect(after).toEqual([before[1], before[0], before[2]]);
  for (const row of after) expect(before).toContain(row);
});

test("a person that was read again, edited or given another name keeps the key; a new one gets another (app M18)", () => {
  const before = withKeys([ada, bo], []);
  const ids = (people: Creator[]) => withKeys(people, before).map(({ id }) => id);
  expect(ids(structuredClone([bo, ada]))).toEqual([1, 0]);
  expect(ids([bo, { ...ada, role: { id: "editor" } }])).toEqual([1, 0]);
  expect(ids([person("Adaeze"), bo])).toEqual([0, 1]);
  expect(ids([cy, ada, bo])).toEqual([2, 0, 1]);
  expect(ids([bo])).toEqual([1]);
});

test("keys are unique, also of people who are listed twice (app M18)", () => {
  const some = fc.array(fc.constantFrom(ada, bo, cy, person("Ada"), person("Bo", "B")), { maxLength: 8 });
  fc.assert(
    fc.property(some, some, (before, after) => {
      const rows = withKeys(after, withKeys(before, []));
      expect(rows.map((row) => row.person)).toEqual(after);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(after.length);
    }),
  );
});
