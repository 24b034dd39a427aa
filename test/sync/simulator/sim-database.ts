import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import SQLite from "better-sqlite3";
import { Kysely } from "kysely";
import { type Db, openDatabase } from "../../../shared/database/open.ts";
import { sqliteDialect } from "../../../shared/database/sqlite-driver.ts";

let migrated: Buffer | undefined;

/** A database of this program's version as one image: migrating costs more than a whole short run. */
async function template(): Promise<Buffer> {
  if (migrated) return migrated;
  const folder = mkdtempSync(path.join(tmpdir(), "carrel-simulator-"));
  const { close, copyTo } = openDatabase(":memory:");
  await copyTo(path.join(folder, "template"));
  await close();
  migrated = readFileSync(path.join(folder, "template"));
  // An image in memory has no write-ahead log.
  migrated.fill(1, 18, 20);
  rmSync(folder, { recursive: true });
  return migrated;
}

/** A database in memory that can be copied and put back as a whole, as a disk can. */
export class SimDatabase {
  #connection: SQLite.Database;
  db: Db;

  private constructor(image: Buffer) {
    ({ connection: this.#connection, db: this.db } = open(image));
  }

  static async create(): Promise<SimDatabase> {
    return new SimDatabase(await template());
  }

  image(): Buffer {
    return this.#connection.serialize();
  }

  async putBack(image: Buffer): Promise<void> {
    await this.db.destroy();
    ({ connection: this.#connection, db: this.db } = open(image));
  }
}

function open(image: Buffer) {
  const connection = new SQLite(image);
  connection.pragma("foreign_keys = ON");
  const db: Db = new Kysely({ dialect: sqliteDialect(connection) });
  return { connection, db };
}
