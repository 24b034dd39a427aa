import { startStore } from "./engines/bucket.ts";
import { copyDatabase, type TestDatabase } from "./engines/postgres.ts";

/** Whether the servers of the tests keep their rows in PostgreSQL: the vitest project `postgres`. */
export const isOnPostgres = process.env.CARREL_ON_POSTGRES === "1";

/** An empty database for a server of a test; undefined where its rows are in SQLite. */
export async function serverDatabase(): Promise<TestDatabase | undefined> {
  const template = process.env.CARREL_TEST_TEMPLATE;
  if (!isOnPostgres) return undefined;
  if (template === undefined) throw new Error("PostgreSQL is not running");
  return copyDatabase(template);
}

/** Whether the servers of the tests keep their bytes in a bucket: the vitest project `bucket`. */
export const isOnBucket = process.env.CARREL_ON_BUCKET === "1";

/** A place in a bucket for the bytes of a server of a test; undefined where they are in a folder. */
export const serverBucket = async (): Promise<string | undefined> =>
  isOnBucket ? (await startStore())?.freshAddress() : undefined;
