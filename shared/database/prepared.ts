import type { CompiledQuery } from "kysely";
import type { Db } from "./open.ts";

/** A placeholder while the query is built: for an argument, or for a column of an argument that is a row. */
class Slot {
  readonly argument: number;
  readonly column: string | undefined;

  constructor(argument: number, column?: string) {
    this.argument = argument;
    this.column = column;
  }
}

/** Identifies the SQL dialect: queries of another one are built again. */
const dialectOf = (db: Db): unknown => db.getExecutor().adapter.constructor;

/** Anything that Kysely compiles to SQL: a query, or a `sql` template. */
interface Buildable<R> {
  compile(db: Db): CompiledQuery<R>;
}

type Arguments = readonly unknown[];

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Uint8Array);

/** The columns of the rows among the arguments, on which the SQL depends. */
const columnsOf = (given: Arguments): string =>
  given.some(isRow) ? given.map((value) => (isRow(value) ? Object.keys(value).join() : "")).join(";") : "";

const slotsFor = (given: Arguments): unknown[] =>
  given.map((value, at) =>
    isRow(value)
      ? Object.fromEntries(Object.keys(value).map((column) => [column, new Slot(at, column)]))
      : new Slot(at),
  );

function fill(parameter: unknown, given: Arguments): unknown {
  if (!(parameter instanceof Slot)) return parameter;
  const argument = given[parameter.argument];
  return parameter.column === undefined ? argument : (argument as Record<string, unknown>)[parameter.column];
}

/**
 * A query that is built at its first call and then reused with other values. Arguments are values that the query compares
 * or stores, or rows to insert or set. The query must not depend on them otherwise, nor use them in an `in` list. Rows
 * with other columns give another query.
 */
export function prepared<P extends Arguments, R>(
  build: (db: Db, ...given: P) => Buildable<R>,
): (db: Db, ...given: P) => Promise<R[]> {
  const ofDialects = new Map<unknown, Map<string, CompiledQuery<R>>>();
  return async (db, ...given) => {
    const columns = columnsOf(given);
    const dialect = dialectOf(db);
    const queries = ofDialects.get(dialect) ?? new Map<string, CompiledQuery<R>>();
    ofDialects.set(dialect, queries);
    let query = queries.get(columns);
    if (!query) {
      query = build(db, ...(slotsFor(given) as unknown as P)).compile(db);
      queries.set(columns, query);
    }
    const parameters = query.parameters.map((parameter) => fill(parameter, given));
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

/** As `prepared`, but returns the first row. */
export function preparedFirst<P extends Arguments, R>(
  build: (db: Db, ...given: P) => Buildable<R>,
): (db: Db, ...given: P) => Promise<R | undefined> {
  const list = prepared(build);
  return async (db, ...given) => (await list(db, ...given))[0];
}
