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

/** What stands for a transaction within the one that a run ends by rolling back. */
const nested: Record<string, string> = {
  "begin immediate": "savepoint run",
  commit: "release run",
  rollback: "rollback to run; release run",
};

/** A connection whose image comes back after each run: its statements, costly to prepare, serve many. */
class Connection extends SQLite {
  isOuter = false;

  override exec(sql: string): this {
    return super.exec(this.isOuter ? (nested[sql] ?? sql) : sql);
  }

  /** Puts what follows into a transaction that `forget` takes back. */
  begin(): void {
    super.exec("begin");
    this.isOuter = true;
  }

  forget(): void {
    super.exec("rollback");
    this.isOuter = false;
  }

  /** What happened so far stays: the image can be read then, and the connection serves no other run. */
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

/** Connections by the image that they began with. */
const idle = new Map<Buffer, Opened[]>();

function open(image: Buffer): Opened {
  const connection = new Connection(image);
  const prepare = connection.prepare.bind(connection);
  // How surely a commit reaches a disk is of no meaning in memory, and cannot be said within a transaction.
  const meant = (sql: string) =>
    connection.isOuter && sql.startsWith("pragma synchronous") ? "delete from setting where false" : sql;
  connection.prepare = ((sql: string) => prepare(meant(sql))) as typeof connection.prepare;
  connection.pragma("foreign_keys = ON");
  const db: Db = new Kysely({ dialect: sqliteDialect(connection) });
  return { connection, db };
}

/** A database in memory that can be copied and put back as a whole, as a disk can. */
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

  /** A database that begins as another one was. @param image the same buffer each time: connections are kept by it. */
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
