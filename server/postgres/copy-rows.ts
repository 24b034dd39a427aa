import { createHash, type Hash } from "node:crypto";
import { isPostgres } from "../../shared/database/dialect.ts";
import { type Db, openDatabase, type Tx } from "../../shared/database/open.ts";
import { claimFile } from "../../shared/kernel/private-files.ts";
import { rebuildIndex } from "../../shared/search/sqlite/index-job.ts";
import { makeWordsAgain } from "../../shared/vocabularies/vocabulary-mirror.service.ts";
import { moveFeedHead, readFeedHead } from "../sync/feed-repair.service.ts";
import { listDefinitions } from "./open-postgres.ts";
import { begunTables } from "./postgres-ddl.ts";
import { sendable } from "./postgres-driver.ts";
import {
  countOn,
  deferKeys,
  deleteRows,
  describeTable,
  hasSettings,
  insertRows,
  pagesOf,
  type Row,
  type SharedTable,
} from "./table-copy.repository.ts";

/** A table of both databases, after it was compared. */
export interface CopiedTable {
  table: string;
  rows: number;
}

/** Settings of one database alone: where its feed and its search index stand, which programs may use it, its move. */
const ownSettings = /^(feed_head|health|moved|oldest_program|search[.].*)$/;

async function describeTables(): Promise<SharedTable[]> {
  const { db, close } = openDatabase(":memory:");
  try {
    const tables: SharedTable[] = [];
    for (const { type, name, sql } of await listDefinitions()) {
      if (type === "table") tables.push(await describeTable(db, name, sql));
    }
    return tables;
  } finally {
    await close();
  }
}

const isCopied = ({ name }: SharedTable, row: Row): boolean =>
  name !== "setting" || !ownSettings.test(String(row.name));

/** Adds a row to a digest in a form that both databases give alike. */
function addTo(hash: Hash, { columns }: SharedTable, row: Row): void {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : sendable(value);
  });
  hash.update(`${JSON.stringify(values)}\n`);
}

/** The number of rows of a table, and a digest of them all. */
async function digestOf(db: Db, table: SharedTable): Promise<{ rows: number; digest: string }> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const page of pagesOf(db, table)) {
    for (const row of page.filter((one) => isCopied(table, one))) {
      addTo(hash, table, row);
      rows += 1;
    }
  }
  return { rows, digest: hash.digest("hex") };
}

async function copyAll(source: Db, target: Tx, tables: readonly SharedTable[]): Promise<void> {
  if (!isPostgres(target)) await deferKeys(target);
  const begun: readonly string[] = begunTables;
  for (const table of tables) {
    if (begun.includes(table.name)) await deleteRows(target, table);
    for await (const page of pagesOf(source, table)) {
      const rows = page.filter((row) => isCopied(table, row));
      if (rows.length > 0) await insertRows(target, table, rows);
    }
    await countOn(target, table);
  }
  await makeWordsAgain(target);
  await moveFeedHead(target, await readFeedHead(source));
}

/** @throws Error that names the table in which the databases differ. */
async function compare(
  source: Db,
  target: Db,
  tables: readonly SharedTable[],
  onTable: (table: string, rows: number) => void,
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    const [there, here] = [await digestOf(source, table), await digestOf(target, table)];
    if (there.digest !== here.digest) {
      throw new Error(`the table ${table.name} was not copied as it is: ${there.rows} rows, ${here.rows} after it`);
    }
    copied.push({ table: table.name, rows: here.rows });
    onTable(table.name, here.rows);
  }
  return copied;
}

/**
 * Copies the rows of one moment into a new database of the other kind, in one transaction, and compares every table
 * before it commits. Positions of the feed stay, so replicas notice nothing. The search index is not copied.
 */
export async function copyRows(
  source: Db,
  target: Db,
  onTable: (table: string, rows: number) => void = () => undefined,
): Promise<CopiedTable[]> {
  const tables = await describeTables();
  // Two databases: without the guard, which is for transactions of one.
  const reading = source.transaction().setAccessMode("read only");
  return reading.execute((from) =>
    target.transaction().execute(async (to) => {
      await copyAll(from, to, tables);
      return compare(from, to, tables, onTable);
    }),
  );
}

/** Whether a server has used the database. */
export const isInUse = (db: Db): Promise<boolean> => hasSettings(db);

/** Writes the rows of a PostgreSQL database into a new file, with the search index that a file has. */
export async function copyToFile(db: Db, file: string): Promise<void> {
  // The file belongs to this account, not to the folder's owner, because it becomes a part of a backup.
  claimFile(file);
  const copy = openDatabase(file);
  try {
    await copyRows(db, copy.db);
    await rebuildIndex(copy.db);
  } finally {
    await copy.close();
  }
}
