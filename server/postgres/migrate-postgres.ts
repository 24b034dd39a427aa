import { setTimeout } from "node:timers/promises";
import type { ClientBase } from "pg";
import { type Migration, migrations } from "../../shared/database/migrations/list.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { changedTable, functionsAgain, isServerTable, postgresOf } from "./postgres-ddl.ts";
import { listRunningVersions, readVersion, type SchemaVersion, storeVersion } from "./schema-version.ts";

const lockTaken = "55P03";
const maxAttempts = 60;
const pauseMs = 500;

/** The statements of a step. No text in a step contains a semicolon at the end of a line. */
const statementsOf = ({ sql }: Migration): string[] =>
  sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

/** The name of a new index, and whether its table is as new. */
const indexIn = /^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)/;

/** What of a step goes into its transaction, and which indexes of large tables are made after it. */
function partsOf(step: Migration): { now: string[]; later: string[] } {
  const statements = statementsOf(step).filter((statement) => isServerTable(changedTable(statement) ?? ""));
  const made = new Set(statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []));
  const isLater = (statement: string): boolean => {
    const [, , table] = indexIn.exec(statement) ?? [];
    return table !== undefined && !made.has(table);
  };
  return { now: statements.filter((one) => !isLater(one)), later: statements.filter(isLater) };
}

/**
 * Repeats work that waits for a lock of a table. While it waits, all others wait behind it, so it waits two seconds at
 * most and lets them pass.
 */
async function withShortWaits(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query("set lock_timeout = '2s'");
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const isTaken = error instanceof Error && "code" in error && error.code === lockTaken;
        if (!isTaken || attempt === maxAttempts) throw error;
        await setTimeout(pauseMs);
      }
    }
  } finally {
    await client.query("set lock_timeout = 0");
  }
}

async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** The versions of processes that run and could not go on beside the step. */
async function listOlder(client: ClientBase, { oldest = 0 }: Migration): Promise<number[]> {
  if (oldest === 0) return [];
  return (await listRunningVersions(client)).filter((version) => version < oldest);
}

const olderRun = ({ name }: Migration, versions: readonly number[]): Failure =>
  new Failure(
    "unavailable",
    `Server processes of an older version (${versions.join(", ")}) use the database, which the step ${name} does not allow. Stop them first. Nothing of this step was changed.`,
  );

async function runStep(client: ClientBase, step: Migration, known: SchemaVersion): Promise<SchemaVersion> {
  const { now, later } = partsOf(step);
  const next = {
    version: known.version + 1,
    oldest: Math.max(known.oldest, step.oldest ?? 0),
    pending: [...known.pending, ...later],
  };
  await withShortWaits(client, () =>
    inTransaction(client, async () => {
      for (const statement of now) await client.query(postgresOf(statement));
      for (const statement of step.postgres ?? []) await client.query(statement);
      await storeVersion(client, next);
    }),
  );
  return next;
}

/** Makes an index while others write. One that was left half made by an end of the process is made again. */
async function makeIndex(client: ClientBase, statement: string): Promise<void> {
  const [, name] = indexIn.exec(statement) ?? [];
  const { rows } = await client.query<{ isvalid: boolean }>(
    "select indisvalid as isvalid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  if (rows[0]?.isvalid) return;
  if (rows[0]) await client.query(`drop index concurrently ${name}`);
  await client.query(postgresOf(statement).replace(" INDEX ", " INDEX CONCURRENTLY "));
}

async function makePending(client: ClientBase, known: SchemaVersion): Promise<SchemaVersion> {
  let left = known;
  for (const statement of known.pending) {
    await makeIndex(client, statement);
    left = { ...left, pending: left.pending.filter((other) => other !== statement) };
    await storeVersion(client, left);
  }
  return left;
}

/**
 * Brings the tables of an older version up to date, while processes of that version go on (expand). A step that takes
 * something away names the oldest program that does without it, and waits for a start without older processes (contract).
 * Call it under a lock that one process at a time holds.
 * @param options.mustContract throws rather than leave steps for later.
 * @returns how many steps wait until no older process runs.
 * @throws Failure `unavailable` for a database that this program cannot use; the step under way leaves nothing behind.
 */
export async function migratePostgres(
  client: ClientBase,
  steps: readonly Migration[] = migrations,
  { mustContract = false } = {},
): Promise<number> {
  let known = await readVersion(client);
  if (!known) throw new Error("the database is new");
  if (known.oldest > steps.length) {
    throw new Failure("unavailable", "The database is of a newer version of Carrel. Nothing was changed.");
  }
  // What a newer program began it completes itself.
  if (known.version > steps.length) return 0;
  if (known.version < steps.length) for (const statement of functionsAgain) await client.query(statement);
  for (const step of steps.slice(known.version)) {
    const older = await listOlder(client, step);
    const mayWait = !mustContract && steps.slice(known.version).every(({ contracts }) => contracts);
    if (older.length > 0 && mayWait) break;
    if (older.length > 0) throw olderRun(step, older);
    known = await runStep(client, step, known);
  }
  await makePending(client, known);
  return steps.length - known.version;
}
