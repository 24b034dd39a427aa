import type { Db } from "../database/open.ts";
import { anonymous } from "../kernel/caller.ts";
import { findDocuments } from "./record-finder.ts";
import { recordSearchRules } from "./record-search.service.ts";
import { recordValues } from "./record-values.ts";
import { readSearch } from "./search-parameters.ts";
import { textSearchOf } from "./text-search.ts";
import { vocabularyOf } from "./vocabulary.ts";

const rounds = 8;

/** One search of each kind, of different words in each round. */
const kinds: readonly ((word: (rank: number) => string) => Record<string, string>)[] = [
  () => ({}),
  (word) => ({ q: word(0) }),
  (word) => ({ q: word(2), sort: "newest", page: "20" }),
  (word) => ({ q: `${word(1)} AND ${word(9)} -${word(20)}` }),
  (word) => ({ q: `${word(0)} ${word(3)} ${word(6)}` }),
  (word) => ({ q: `"${word(0)} ${word(1)}"` }),
  (word) => ({ q: `"${word(0)} ${word(1)} ${word(2)}"` }),
  (word) => ({ q: `"${word(0)} ${word(2)}"~3` }),
  (word) => ({ q: `${word(8).slice(0, 3)}*` }),
  (word) => ({ q: `*${word(9).slice(1)} OR ${word(9)}~` }),
  (word) => ({ q: `metadata.title:${word(3)}`, resource_type: "publication", language: "eng" }),
  () => ({ q: "metadata.publication_date:[1990 TO 2020]" }),
];

/**
 * Makes ready for searches of a large index: reads what they ask most, then asks some of each kind, so that the first
 * person who searches need not wait for what only the first one has to wait for.
 */
export async function practise(db: Db, now: number): Promise<void> {
  const values = await recordValues(db);
  const { kept } = textSearchOf(db, values);
  await kept.learn();
  await vocabularyOf(db);
  for (let round = 0; round < rounds; round += 1) {
    const word = (rank: number): string => kept.examples[(rank + 1) * 10 + round] ?? "";
    for (const kind of kinds) {
      const request = readSearch(kind(word), recordSearchRules);
      await findDocuments(db, { now, customFields: [] }, { caller: anonymous, request, scope: "published" });
    }
  }
}
