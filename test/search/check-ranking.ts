import { expect } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { recordSearchRules, recordSearchService } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import type { MakeIndex } from "./compare-with-oracle.ts";
import { epoch, store } from "./corpus.ts";

function familyOf(number: number, title: string) {
  const id = `rank-${number}`;
  const expanded = JSON.stringify({ title, description: `Number 77 of many: ${number % 10}` });
  const pids = JSON.stringify({ doi: { identifier: `10.5281/zenodo.${number}`, provider: "external" } });
  const parent = { id: `parent-${id}`, owner_id: "1", settings: "{}", created: epoch, viewer_level: null };
  const record = {
    ...{ id, parent_id: parent.id, version_index: 1, created: epoch + number, updated: epoch, revision_id: 1 },
    ...{ metadata: expanded, expanded, custom_fields: "{}", pids, files_enabled: 0, default_preview: null },
    access: JSON.stringify({ record: "public", files: "public", embargo: { active: false, reason: null } }),
    ...{ file_order: "[]", is_latest: 1, tombstone: null },
  };
  return { parent, records: [record], drafts: [], files: [], grants: [] };
}

/** The guarantees of the order by relevance (search 5.4, 6.1), among so many records. */
export async function checkRanking(count: number, makeIndex: MakeIndex): Promise<void> {
  const { db, close } = openDatabase(":memory:");
  const titles = ["walrus alone here", "walrus penguin here", "penguin alone here", "walrus-penguin", "quiet"];
  await store(
    db,
    Array.from({ length: count }, (_, at) => familyOf(at, titles[at] ?? `Common title ${at % 3}`)),
  );
  const service = recordSearchService({ now: () => epoch, settings: defaultSettings }, await makeIndex(db));
  const firstOf = async (q: string) => {
    const request = readSearch({ q, size: "1" }, recordSearchRules);
    const { page } = await service.search(db, { caller: anonymous, request, scope: "published" });
    return page[0]?.id;
  };
  expect(await firstOf("10.5281/zenodo.7")).toBe("rank-7");
  expect(await firstOf("https://doi.org/10.5281/zenodo.33")).toBe("rank-33");
  expect(await firstOf('"10.5281/zenodo.41"')).toBe("rank-41");
  expect(["rank-1", "rank-3"]).toContain(await firstOf("walrus penguin common many"));
  expect(await firstOf("walrus-penguin")).not.toBe("rank-0");
  expect(await firstOf("alone^100 common")).toMatch(/^rank-[02]$/);
  expect(await firstOf("quiet OR many")).toBe("rank-4");
  const page = async (q: string, number: number, size: number) => {
    const request = readSearch({ q, page: String(number), size: String(size) }, recordSearchRules);
    return service.search(db, { caller: anonymous, request, scope: "published" });
  };
  for (const q of ["common many", "common^2 OR penguin", "many"]) {
    const { total, page: whole } = await page(q, 1, 10_000);
    expect([whole.length, new Set(whole.map(({ id }) => id)).size]).toEqual([total, total]);
    const pages = [];
    for (let at = 1; at <= 10; at += 1) pages.push(...(await page(q, at, Math.ceil(count / 10))).page);
    expect(pages).toEqual(whole);
  }
  await service.close();
  await close();
}
