import { foundation } from "./0001-foundation.ts";
import { vocabularies } from "./0002-vocabularies.ts";

/** A step from one version of the database to the next: SQL, run in one transaction. Only ever appended to. */
export interface Migration {
  name: string;
  sql: string;
}

/** In order; the version of a database is the number of steps it has taken. */
export const migrations: readonly Migration[] = [
  { name: "0001-foundation", sql: foundation },
  { name: "0002-vocabularies", sql: vocabularies },
];
