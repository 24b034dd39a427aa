import { expect, test } from "vitest";
import { Bitset } from "../../shared/search/sqlite/bitset.ts";
import { type FacetRow, FacetRows, slots } from "../../shared/search/sqlite/facet-rows.ts";
import { Random } from "../support/random.ts";

test("facets of documents are counted by what was last said of each, however many subjects it has (search 8)", () => {
  const random = new Random(17);
  const rows = new FacetRows();
  const expected = new Map<number, FacetRow>();
  const most = 70_000;
  for (let round = 0; round < 2000; round += 1) {
    const doc = random.below(300);
    // At first small numbers, later such as need more room.
    const number = () => random.below(round < 1000 ? 50 : most);
    const subjects = random.list(0, random.of([2, 5, 9]), number);
    const row = { profile: number(), files: number(), subjects };
    rows.set(doc, row);
    expected.set(doc, row);
    if (round % 333 !== 0) continue;
    const docs = Uint32Array.from([...expected.keys()].filter(() => random.chance(0.5)));
    const readable = Bitset.of(docs.filter((one) => one % 3 > 0).sort());
    const [found, wanted] = [noCounts(most), noCounts(most)];
    rows.count(docs, found, readable);
    for (const one of docs) {
      const { profile, files, subjects } = expected.get(one) ?? row;
      add(wanted.profiles, profile);
      if (readable.has(one)) add(wanted.files, files);
      for (const subject of subjects) add(wanted.subjects, subject + slots);
    }
    found.subjects.fill(0, 0, slots);
    expect(found).toEqual(wanted);
    const wantedSubjects = new Set(subjects);
    for (const one of docs)
      expect(rows.hasSubject(one, wantedSubjects)).toBe(expected.get(one)?.subjects.some((s) => wantedSubjects.has(s)));
  }
});

const noCounts = (size: number) => ({
  profiles: new Int32Array(size),
  files: new Int32Array(size),
  subjects: new Int32Array(size + slots),
});

function add(counts: Int32Array, number: number): void {
  counts[number] = (counts[number] ?? 0) + 1;
}
