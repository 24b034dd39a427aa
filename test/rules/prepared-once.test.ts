import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";

/**
 * How often SQLite prepared statements during the work. better-sqlite3 makes a function for the rows of a statement
 * whenever SQLite has prepared it.
 */
async function preparationsIn(work: () => Promise<unknown>): Promise<number> {
  const makeFunction = vi.fn(globalThis.Function);
  vi.stubGlobal("Function", makeFunction);
  try {
    await work();
  } finally {
    vi.unstubAllGlobals();
  }
  return makeFunction.mock.calls.length;
}

test("a query with other values is not prepared again (issue 19.7)", async () => {
  const { db, close } = openDatabase(":memory:");
  await db
    .insertInto("membership")
    .values([
      { user_id: "1", group_name: "botany" },
      { user_id: "2", group_name: "geology" },
    ])
    .execute();
  const built = (user: string) =>
    db
      .selectFrom("membership")
      .innerJoin("membership as other", "other.group_name", "membership.group_name")
      .select("other.user_id")
      .where("membership.user_id", "=", user)
      .execute();
  const written = async (user: string) => {
    const { rows } = await sql`select other.user_id from membership, membership other
      where other.group_name = membership.group_name and membership.user_id is not distinct from ${user}`.execute(db);
    return rows;
  };
  for (const query of [built, written]) {
    expect(await preparationsIn(() => query("1"))).toBe(1);
    expect(await preparationsIn(async () => expect(await query("2")).toEqual([{ user_id: "2" }]))).toBe(0);
  }
  await close();
});
