import type { ClientBase } from "pg";
import { migrations } from "../../shared/database/migrations/list.ts";

/** Class of the locks by which sessions of server processes say which version runs. */
const versionLock = 727_004;

export interface SchemaVersion {
  version: number;
  /** The oldest program that may use the tables. */
  oldest: number;
  /** Indexes that are still to be made, as statements of SQLite. */
  pending: string[];
}

/** Holds, as long as the session, a lock that says which version of the program runs. */
export const holdVersion = (client: ClientBase, version = migrations.length) =>
  client.query("select pg_advisory_lock_shared($1, $2)", [versionLock, version]);

/** The versions of the server processes that use the database now. */
export async function listRunningVersions(client: ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>(
    `select distinct objid::bigint as version from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`,
    [versionLock],
  );
  return rows.map(({ version }) => Number(version));
}

/** Undefined in a new database. */
export async function readVersion(client: ClientBase): Promise<SchemaVersion | undefined> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as known");
  if (!rows[0]?.known) return undefined;
  const known = await client.query<{ version: number; oldest?: number; pending?: string }>(
    "select * from schema_version",
  );
  const { version = 0, oldest = 0, pending } = known.rows[0] ?? {};
  // Earlier versions kept the version alone.
  if (pending === undefined) {
    await client.query(`alter table schema_version add column oldest integer not null default 0,
      add column pending text not null default '[]'`);
    return { version, oldest, pending: [] };
  }
  return { version, oldest, pending: JSON.parse(pending) };
}

export const storeVersion = (client: ClientBase, { version, oldest, pending }: SchemaVersion) =>
  client.query("update schema_version set version = $1, oldest = $2, pending = $3", [
    version,
    oldest,
    JSON.stringify(pending),
  ]);
