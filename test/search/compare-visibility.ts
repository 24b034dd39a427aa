import fc from "fast-check";
import { expect } from "vitest";
import { accessService } from "../../shared/access/access.service.ts";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import type { DraftRow, RecordRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { recordService } from "../../shared/records/record.service.ts";
import { recordSearchService, userRecordSearchRules } from "../../shared/search/record-search.service.ts";
import type { RecordScope } from "../../shared/search/search-index.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { Random } from "../support/random.ts";
import type { MakeIndex } from "./compare-with-oracle.ts";
import { epoch, randomFamily, store, users } from "./corpus.ts";

const levels = ["view", "preview", "edit", "manage"];
const tokens = ["key-1", "key-2", "key-3"];
const groups = ["staff", "guests"];

const callers: fc.Arbitrary<Caller> = fc.record({
  userId: fc.constantFrom(null, ...users),
  roles: fc
    .subarray([...groups, "superuser-access", "administration-moderation"], { maxLength: 2 })
    .map((names) => new Set(names)),
  scopes: fc.constant(new Set<never>()),
  linkTokens: fc.subarray(tokens),
  via: fc.constant("token" as const),
});
const queries = fc.record({
  q: fc.constantFrom(
    "",
    "*",
    "data",
    "-data",
    "metadata.title:open OR science",
    "files.entries.key:*",
    "access.record:restricted",
  ),
  allversions: fc.constantFrom("true", "false"),
});

/** Grants to everybody, to signed-in people and to groups, and links, some of them expired. */
async function share(db: Db, random: Random, parents: readonly string[]): Promise<void> {
  const common = { origin: null, message: null, created: epoch };
  for (const parent_id of parents) {
    const [subject_type, subject_id] = random.of([
      ["role", "staff"],
      ["role", "guests"],
      ["system_role", "any_user"],
      ["system_role", "authenticated_user"],
    ]);
    if (random.chance(0.3)) {
      const grant = {
        id: `${parent_id}-s`,
        parent_id,
        permission: random.of(levels),
        subject_type,
        subject_id,
        ...common,
      };
      await db
        .insertInto("access_grant")
        .values(grant as never)
        .execute();
    }
    const token = random.of(tokens);
    if (
      random.chance(0.5) &&
      !(await db.selectFrom("access_link").select("id").where("token", "=", token).executeTakeFirst())
    ) {
      const expires_at = random.of([null, "2024-04-01", "2999-01-01"]);
      const link = {
        id: `${parent_id}-l`,
        parent_id,
        token,
        permission: random.of(levels),
        description: "",
        created_at: epoch,
        expires_at,
      };
      await db.insertInto("access_link").values(link).execute();
    }
  }
}

const isAllowed = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false;
      throw error;
    },
  );

/** Compares what a search shows with what a GET shows, for callers, grants and links at random (search 1). */
export async function compareVisibility(seed: number, runs: number, makeIndex: MakeIndex): Promise<void> {
  const random = new Random(seed);
  const families = Array.from({ length: 12 }, (_, at) => randomFamily(random, at));
  const { db, close } = openDatabase(":memory:");
  await store(db, families);
  await share(
    db,
    random,
    families.map(({ parent }) => parent.id),
  );
  const host = { db, now: () => epoch, settings: defaultSettings, abilities: { appliesDeadlines: true } } as Host;
  const access = accessService(host);
  const records = recordService({ host, access });
  const service = recordSearchService(host, await makeIndex(db));

  const mayRead = (caller: Caller, row: RecordRow | DraftRow): Promise<boolean> =>
    isAllowed(
      "is_latest" in row ? records.require(db, caller, row.id) : access.requireDraft(db, caller, row, "preview"),
    );
  const search = (caller: Caller, query: Record<string, string>, scope: RecordScope) =>
    service.search(db, { caller, scope, request: readSearch({ ...query, size: "1000" }, userRecordSearchRules) });

  await fc.assert(
    fc.asyncProperty(callers, queries, async (caller, query) => {
      for (const scope of ["published", "editable"] as const) {
        const { page, total, aggregations } = await search(caller, query, scope);
        for await (const rows of service.rows(db, page))
          for (const row of rows) expect(await mayRead(caller, row)).toBe(true);
        expect(page.length).toBe(total);
        const counted = aggregations.access_status?.buckets.reduce((sum, bucket) => sum + bucket.doc_count, 0);
        expect(counted).toBe(total);
      }
      const all = await search(caller, { allversions: "true" }, "published");
      let readable = 0;
      for (const row of families.flatMap((family) => family.records)) if (await mayRead(caller, row)) readable += 1;
      expect(all.total).toBe(readable);
    }),
    { numRuns: runs, seed },
  );
  await service.close();
  await close();
}
