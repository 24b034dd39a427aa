import { Kysely } from "kysely";
import { expect, test } from "vitest";
import { addToFeed, listFeed } from "../../server/sync/feed.repository.ts";
import { listCounted } from "../../server/sync/usage-feed.repository.ts";
import { migrations } from "../../shared/database/migrations/list.ts";
import type { Schema } from "../../shared/database/schema.ts";
import { openConnection, sqliteDialect } from "../../shared/database/sqlite-driver.ts";

test("a page of the feed costs the same however much the user holds: no query scans all of it (hosts-and-sync 8)", async () => {
  const connection = openConnection(":memory:");
  for (const step of migrations) connection.exec(step.sql);
  const steps: string[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(connection),
    log: ({ query: { sql, parameters } }) => {
      if (!sql.startsWith("select")) return;
      const plan = connection.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      steps.push(...plan.map(({ detail }) => detail).filter((detail) => /\b(?:feed|usage)\b/.test(detail)));
    },
  });
  const entry = { user_id: "1", kind: "family", state: "live" } as const;
  for (const parents of [["a"], ["b", "c"], ["d"]]) {
    await addToFeed(
      db,
      parents.map((object_id) => ({ ...entry, object_id })),
    );
  }
  expect((await listFeed(db, "1", 0, 2)).map(({ seq }) => seq)).toEqual([1, 2, 2]);
  expect(await listCounted(db, "1", 0, 10)).toEqual([]);
  expect(steps).toHaveLength(4);
  expect(steps.filter((step) => !/\((?:.* AND )?(?:seq>\?|object_id=\?)/.test(step))).toEqual([]);
  await db.destroy();
});
