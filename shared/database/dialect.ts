import { PostgresAdapter } from "kysely";
import type { Db } from "./open.ts";

/** Whether the database is PostgreSQL; otherwise it is SQLite. For the few queries that differ. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
