import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import SQLite from "better-sqlite3";
import { Kysely } from "kysely";
import { type Db, openDatabase } from "../../../shared/database/open.ts";
import { sqliteDialect } from "../../../shared/database/sqlite-driver.ts";

let migrated: Buffer | undefined;

/** An empty, migrated database as an image, since migrating takes longer than a short run. */
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

/** The savepoint statements that replace transactions, since a run lies within one transaction and rolls it back. */
const nested: Record<string, string> = {
  begin: "savepoint run",
  "begin immediate": "savepoint run",
  commit: "release run",
  rollback: "rollback to run; release run",
};

/** A connection that is reset to its image after each run, so that its prepared statements serve many runs. */
class Connection extends SQLite {
  isOuter = false;

  override exec(sql: string): this {
    return super.exec(this.isOuter ? (nested[sql] ?? sql) : sql);
  }

  /** Starts a transaction that `forget` rolls back. */
  begin(): void {
    super.exec("begin");
    this.isOuter = true;
  }

  forget(): void {
    super.exec("rollback");
    this.isOuter = false;
  }

  /** Commits, so that the image can be read. The connection serves no other run then. */
  keep(): void {
    if (!this.isOuter) return;
    super.exec("commit");
    this.isOuter = false;
  }
}

interface Opened {
  connection: Connection;
  db: Db;
}

/** Idle connections by their image. */
const idle = new Map<Buffer, Opened[]>();

function open(image: Buffer): Opened {
  const connection = new Connection(image);
  const prepare = connection.prepare.bind(connection);
  // Durability settings mean nothing in memory, and cannot be set inside a transaction.
  const replaced = (sql: string) =>
    connection.isOuter && sql.startsWith("pragma synchronous") ? "delete from setting where false" : sql;
  connection.prepare = ((sql: string) => prepare(replaced(sql))) as typeof connection.prepare;
  connection.pragma("foreign_keys = ON");
  const db: Db = new Kysely({ dialect: sqliteDialect(connection) });
  return { connection, db };
}

/** A database in memory that can be copied and restored as a whole, like a disk. */
export class SimDatabase {
  #opened: Opened;
  readonly #began: Buffer;

  private constructor(began: Buffer) {
    this.#began = began;
    this.#opened = idle.get(began)?.pop() ?? open(began);
    this.#opened.connection.begin();
  }

  static async create(): Promise<SimDatabase> {
    return new SimDatabase(await template());
  }

  /** A database that starts from an image. @param image always the same buffer, which identifies reusable connections. */
  static of(image: Buffer): SimDatabase {
    return new SimDatabase(image);
  }

  /** The copy of a disk. */
  static copyOf(image: Buffer): SimDatabase {
    const copy = new SimDatabase(image);
    copy.#opened.connection.keep();
    return copy;
  }

  get db(): Db {
    return this.#opened.db;
  }

  image(): Buffer {
    const { connection } = this.#opened;
    connection.keep();
    return connection.serialize();
  }

  async putBack(image: Buffer): Promise<void> {
    await this.close();
    this.#opened = open(image);
  }

  async close(): Promise<void> {
    const { connection, db } = this.#opened;
    if (!connection.isOuter) return db.destroy();
    connection.forget();
    idle.set(this.#began, [...(idle.get(this.#began) ?? []), this.#opened]);
  }
}
