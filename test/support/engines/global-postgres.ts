import { openPostgres } from "../../../server/postgres/open-postgres.ts";
import { until } from "../until.ts";
import { copyDatabase, startPostgres, type TestDatabase } from "./postgres.ts";

async function canCopy({ address }: TestDatabase): Promise<boolean> {
  const copy = await copyDatabase(address).catch(() => undefined);
  await copy?.drop();
  return copy !== undefined;
}

/** Starts PostgreSQL once for all test files of a project, with a database that each server of a test copies. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const postgres = await startPostgres();
  if (!postgres) return undefined;
  const template = await postgres.freshDatabase();
  const { close } = await openPostgres(template.address);
  await close();
  // A database can be copied once its last session has ended.
  await until(() => canCopy(template), "the template is free");
  process.env.CARREL_TEST_TEMPLATE = template.address;
  return async () => {
    await template.drop();
    await postgres.stop();
  };
}
