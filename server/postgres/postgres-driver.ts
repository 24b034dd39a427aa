import { createHash } from "node:crypto";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import { type QueryResult as PgResult, Pool, type PoolClient, type QueryConfig, types } from "pg";
import { assertOutsideTransaction } from "../../shared/database/transaction-guard.ts";
import { Failure } from "../../shared/kernel/failure.ts";

const int8 = 20;
const numeric = 1700;
const connectTimeoutMs = 10_000;
const processConnections = 10;
const maxStatements = 1000;
/** Limits of a session; every query of a write has its index, and reading whole tables would conflict with all writes. */
const session = {
  statement_timeout: "30s",
  idle_in_transaction_session_timeout: "10s",
  lock_timeout: "5s",
  enable_seqscan: "off",
};

/**
 * Whole numbers and sums arrive as text. One that JavaScript cannot hold is a defect, not a value. Microseconds of the
 * year 2999 are above the safe integers, and are held exactly.
 */
function asNumber(text: string): number {
  const number = Number(text);
  const isSafe = Math.abs(number) <= Number.MAX_SAFE_INTEGER || number.toFixed(0) === text;
  if (!isSafe) throw new Error(`the database sent ${text}, which JavaScript cannot hold`);
  return number;
}

const parsers = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 || oid === numeric ? asNumber : types.getTypeParser(oid, format),
};

/** Opens connections to a database whose address is a `postgres:` URL. */
export function postgresPool(address: string): Pool {
  const pool = new Pool({
    connectionString: address,
    max: processConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: parsers,
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  // A session that the server ends is reported by the next query. Without a listener it would end this process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** What the state of the connection or of the server's disk means for the caller; other errors unchanged. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code === "53100") return new Failure("disk_full", "The disk of the database is full. Nothing of this was kept.");
  const isAway =
    /^(08|57P0|57014|25P03|53300|ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN)/.test(code) ||
    /Connection terminated|connection error|not queryable|timeout exceeded/.test(error.message);
  if (!isAway) return error;
  return new Failure("unavailable", "The database cannot be reached now. Try again.", {
    headers: { "Retry-After": "2" },
  });
}

/** Text cannot hold U+0000 here, unlike in SQLite. It is replaced where it is stored and where it is looked for. */
export const sendable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;

class PostgresConnection implements DatabaseConnection {
  readonly client: PoolClient;
  /** The session may have ended: nobody else gets the connection. */
  isBroken = false;
  /** Names of the statements that the connection has prepared, by their SQL. */
  readonly #names = new Map<string, string>();

  constructor(client: PoolClient) {
    this.client = client;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters.map(sendable);
    const name = this.#nameOf(sql);
    const query = name === undefined ? { text: sql, values } : { name, text: sql, values };
    const { rows, rowCount, command } = await this.#send(query);
    const changes = /^(INSERT|UPDATE|DELETE)$/.test(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {};
    return { rows, ...changes };
  }

  /** Runs a statement without parameters, such as `commit`. If its answer is lost, nobody knows whether it was done. */
  async control(text: string): Promise<void> {
    await this.#send({ text });
  }

  async #send(query: QueryConfig): Promise<PgResult> {
    try {
      return await this.client.query(query);
    } catch (error) {
      const failure = asFailure(error);
      this.isBroken ||= failure instanceof Failure && failure.kind === "unavailable";
      throw failure;
    }
  }

  /** Undefined beyond a number of statements: the server keeps each as long as the connection. */
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= maxStatements) return known;
    const name = createHash("sha1").update(sql).digest("hex");
    this.#names.set(sql, name);
    return name;
  }

  // biome-ignore lint/correctness/useYield: refuses
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not offered: page by key");
  }
}

/** Looks at a new connection before its first use. @throws if it must not be used. */
type CheckConnection = (client: PoolClient) => Promise<void>;

class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #check: CheckConnection;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();

  constructor(pool: Pool, check: CheckConnection) {
    this.#pool = pool;
    this.#check = check;
  }

  async init(): Promise<void> {}

  /** Inside a transaction another connection would see another moment, and could use up the pool. */
  async acquireConnection(): Promise<PostgresConnection> {
    assertOutsideTransaction();
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asFailure(error);
    });
    const known = this.#connections.get(client);
    if (known) return known;
    try {
      await this.#check(client);
    } catch (error) {
      client.release(true);
      throw asFailure(error);
    }
    const connection = new PostgresConnection(client);
    this.#connections.set(client, connection);
    return connection;
  }

  async releaseConnection({ client, isBroken }: PostgresConnection): Promise<void> {
    client.release(isBroken);
  }

  /** What a write reads cannot change before its commit, as in SQLite. Reading must make no writer fail. */
  async beginTransaction(connection: PostgresConnection, { accessMode }: TransactionSettings): Promise<void> {
    const isReading = accessMode === "read only";
    await connection.control(
      isReading ? "begin isolation level repeatable read read only" : "begin isolation level serializable",
    );
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.control("commit");
  }

  async rollbackTransaction({ client }: PostgresConnection): Promise<void> {
    // A session that has ended is rolled back.
    await client.query("rollback").catch(() => undefined);
  }

  async savepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to savepoint "${name}"`));
  }

  async releaseSavepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release savepoint "${name}"`));
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** Kysely over a pool of connections: named statements, serialisable writes, the same guard as SQLite's. */
export function postgresDialect(pool: Pool, check: CheckConnection = async () => {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool, check) as unknown as Driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
