import { PostgresAdapter } from "kysely";

/** Any form of `Db`, which imports this module. */
interface Executing {
  getExecutor(): { adapter: unknown };
}

/** Whether the database is PostgreSQL; otherwise it is SQLite. For the few queries that differ. */
export const isPostgres = (db: Executing): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
