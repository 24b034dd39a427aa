import { expect } from "vitest";
import { migrations } from "../../shared/database/migrations/list.ts";
import { openConnection } from "../../shared/database/sqlite-driver.ts";

/** Undoes the last migration of a database. */
export function unmigrate(file: string): void {
  const [earlier, database] = [openConnection(":memory:"), openConnection(file)];
  for (const step of migrations.slice(0, -1)) earlier.exec(step.sql);
  const schemaOf = (connection: typeof database) =>
    connection.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all() as {
      type: string;
      name: string;
      sql: string;
    }[];
  const known = new Set(schemaOf(earlier).map(({ name }) => name));
  const columnsOf = (connection: typeof database, table: string) =>
    (connection.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
  for (const { type, name } of schemaOf(database)) {
    if (!known.has(name)) database.exec(`DROP ${type} IF EXISTS ${name}`);
  }
  for (const { type, name } of schemaOf(database)) {
    if (type !== "table") continue;
    const columns = new Set(columnsOf(earlier, name));
    const added = columnsOf(database, name).filter((column) => !columns.has(column));
    for (const column of added) database.exec(`ALTER TABLE "${name}" DROP COLUMN ${column}`);
  }
  // A table that the migration makes anew, such as `draft_past`, is as it was before, and empty.
  const sqlOf = (connection: typeof database) => new Map(schemaOf(connection).map(({ name, sql }) => [name, sql]));
  const present = sqlOf(database);
  for (const { type, name, sql } of schemaOf(earlier)) {
    if (type !== "table" || present.get(name) === sql) continue;
    database.exec(`DROP TABLE "${name}"; ${sql}`);
  }
  const left = sqlOf(database);
  for (const { name, sql } of schemaOf(earlier)) if (!left.has(name)) database.exec(sql);
  expect(schemaOf(database)).toEqual(schemaOf(earlier));
  database.pragma(`user_version = ${migrations.length - 1}`);
  for (const connection of [earlier, database]) connection.close();
}
