import { type Insertable, type SqlBool, sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { AuditRow } from "../database/schema.ts";

export type AuditEntry = Omit<AuditRow, "id"> & { id: number };

export const insertEntry = (db: Db, row: Insertable<AuditRow>) => db.insertInto("audit_log").values(row).execute();

export const findEntry = (db: Db, id: number): Promise<AuditEntry | undefined> =>
  db.selectFrom("audit_log").selectAll().where("id", "=", id).executeTakeFirst();

/** The first and the last id; undefined for an empty log. */
export async function entryBounds(db: Db): Promise<{ first: number; last: number } | undefined> {
  const { first, last } = await db
    .selectFrom("audit_log")
    .select(({ fn }) => [fn.min("id").as("first"), fn.max("id").as("last")])
    .executeTakeFirstOrThrow();
  return first === null || last === null ? undefined : { first, last };
}

/** Conditions on entries; absent ones are not checked. */
export interface AuditFilter {
  action?: readonly string[];
  actor?: readonly string[];
  /** Ids of objects. */
  object?: readonly string[];
  outcome?: readonly string[];
  /** Microseconds UTC, inclusive. */
  since?: number;
  /** Microseconds UTC, exclusive. */
  until?: number;
  words?: readonly AuditWord[];
}

/** Must occur in the action, an id, the credential or the address, or in a name of somebody that the entry is about. */
export interface AuditWord {
  text: string;
  /** Ids of the users who have it in a name. */
  users: readonly string[];
}

/** An actor without an account is listed by the way they came (`via`). */
const actorText = sql<string>`coalesce(actor, via)`;
const searched = sql<string>`lower(action || ' ' || coalesce(actor, via) || ' ' || coalesce(object_type || ':' || object_id, '')
  || ' ' || coalesce(credential, '') || ' ' || coalesce(address, '') || ' ' || coalesce(cast(status as text), ''))`;

const has = ({ text, users }: AuditWord) => {
  const named = sql`(select value from json_each(${JSON.stringify(users)}))`;
  const isNamed = sql`actor in ${named} or (object_type in ('user', 'users') and object_id in ${named})`;
  return sql<SqlBool>`(instr(${searched}, ${text.toLowerCase()}) > 0 or ${isNamed})`;
};

/** Entries with ids from `low` to `high` that pass the filter, newest first. Reads every id in between. */
export function listEntries(db: Db, low: number, high: number, filter: AuditFilter): Promise<AuditEntry[]> {
  let query = db.selectFrom("audit_log").selectAll().where("id", ">=", low).where("id", "<=", high);
  if (filter.action?.length) query = query.where("action", "in", filter.action);
  if (filter.actor?.length) query = query.where(actorText, "in", filter.actor);
  if (filter.object?.length) query = query.where("object_id", "in", filter.object);
  if (filter.outcome?.length) query = query.where(sql<string>`outcome`, "in", filter.outcome);
  if (filter.since !== undefined) query = query.where("at", ">=", filter.since);
  if (filter.until !== undefined) query = query.where("at", "<", filter.until);
  for (const word of filter.words ?? []) query = query.where(has(word));
  return query.orderBy("id", "desc").execute();
}

/** Removes at most `most` of the entries written before an instant, oldest first. @returns how many. */
export async function deleteOldest(db: Db, before: number, most: number): Promise<number> {
  const oldest = db.selectFrom("audit_log").select("id").orderBy("id").limit(most);
  const { numDeletedRows } = await db
    .deleteFrom("audit_log")
    .where("id", "in", oldest)
    .where("at", "<", before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Lets the triggers allow the removal of entries written before an instant. */
export const allowRemoval = (db: Db, before: number) =>
  db.updateTable("audit_retention").set({ before }).where("before", "<", before).execute();
