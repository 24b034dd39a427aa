import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase, transaction } from "../../shared/database/open.ts";
import { recordFields } from "../../shared/search/record-fields.ts";
import { documentFields } from "../../shared/search/sqlite/document-fields.ts";
import { addTokens } from "../../shared/search/sqlite/index-entries.repository.ts";

/** How often others get a turn during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

test("a text of 150,000 different words lets others through while its words are added to the index (issue 15, row 7)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-words-"));
  const { db, close } = openDatabase(join(folder, "carrel.db"));
  const words = new Set(Array.from({ length: 150_000 }, (_, at) => `word${(at * 7919) % 1_000_003}`));
  const turns = await turnsDuring(() => transaction(db, (tx) => addTokens(tx, words)));
  const stored = await sql<{ count: number }>`select count(*) as count from search_token`.execute(db);
  expect(stored.rows).toEqual([{ count: words.size }]);
  expect(turns).toBeGreaterThan(3);
  await close();
  await rm(folder, { recursive: true });
});

test("20,000 dates and creators let others through while their fields are read, all of them in order (issue 15, row 7)", async () => {
  const listOf = (item: (at: number) => object) => Array.from({ length: 20_000 }, (_, at) => item(at));
  const metadata = {
    title: "Deep sea core",
    creators: listOf((at) => ({
      person_or_org: { type: "personal", name: `Hopper ${at}`, family_name: `Hopper ${at}` },
    })),
    dates: listOf((at) => ({ date: `2020-01-01/2021-02-${10 + (at % 10)}`, type: { id: "other" } })),
    locations: { features: [{ place: "Kiel" }] },
  };
  const document = { id: "4d0ns-ntd89", metadata, custom_fields: null, files: { enabled: false } };
  const all = recordFields(document);
  let found: typeof all = [];
  const turns = await turnsDuring(async () => {
    found = await documentFields(document);
  });
  const isSpan = ({ kind }: (typeof all)[number]) => kind === "days";
  expect(found.filter((one) => !isSpan(one))).toEqual(all.filter((one) => !isSpan(one)));
  expect(found.filter(isSpan)).toEqual(all.filter(isSpan));
  expect(turns).toBeGreaterThan(2);
});
