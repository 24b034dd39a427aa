import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { DoiRegistrationRow } from "../../shared/database/schema.ts";

/** A published record with a DOI of this server, and what the agency has of it. */
export interface OwnDoi {
  record_id: string;
  doi: string;
  revision_id: number;
  access: string;
  tombstone: string | null;
  sent_revision: number | null;
  is_public: number | null;
  refused_revision: number | null;
  attempts: number | null;
  run_at: number | null;
  last_error: string | null;
}

const all = sql`select pid.record_id, pid.identifier as doi, record.revision_id, record.access, record.tombstone,
    sent.sent_revision, sent.is_public, sent.refused_revision, sent.attempts, sent.run_at, sent.last_error
  from pid join record on record.id = pid.record_id left join doi_registration sent on sent.record_id = record.id
  where pid.scheme = 'doi' and pid.provider = 'datacite' and pid.state = 'registered'`;

/** All DOIs of this server, by record. */
export const listOwnDois = async (db: Db): Promise<OwnDoi[]> =>
  (await sql<OwnDoi>`${all} order by record.created, record.id`.execute(db)).rows;

/**
 * DOIs whose current revision the agency lacks and that are due, longest waiting first.
 * @param families limits the search; undefined: all.
 */
export async function listDueDois(
  db: Db,
  due: { now: number; limit: number; families?: readonly string[] | undefined },
): Promise<OwnDoi[]> {
  const { now, limit, families } = due;
  const place = families ? sql`and pid.parent_id in (select value from json_each(${JSON.stringify(families)}))` : sql``;
  const { rows } = await sql<OwnDoi>`${all} ${place} and sent.sent_revision is not record.revision_id
      and sent.refused_revision is not record.revision_id and coalesce(sent.run_at, 0) <= ${now}
      and (sent.sent_revision is not null or (record.tombstone is null and record.access ->> 'record' = 'public'))
      order by coalesce(sent.run_at, 0), record.updated limit ${limit}`.execute(db);
  return rows;
}

export const upsertRegistration = (db: Db, row: DoiRegistrationRow) =>
  db
    .insertInto("doi_registration")
    .values(row)
    .onConflict((conflict) => conflict.column("record_id").doUpdateSet(row))
    .execute();

/** Makes all failed and refused registrations due now. @returns how many. */
export async function retryRegistrations(db: Db, recordId: string | undefined): Promise<number> {
  let query = db.updateTable("doi_registration").set({ refused_revision: null, attempts: 0, run_at: 0 });
  query = query.where("last_error", "is not", null);
  if (recordId !== undefined) query = query.where("record_id", "=", recordId);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** DOIs that the agency lacks or has in an older form, failures first. */
export const listUnregisteredDois = async (db: Db, limit: number): Promise<OwnDoi[]> =>
  (
    await sql<OwnDoi>`${all} and sent.sent_revision is not record.revision_id
      and (sent.sent_revision is not null or (record.tombstone is null and record.access ->> 'record' = 'public'))
      order by sent.last_error is null, record.created, record.id limit ${limit}`.execute(db)
  ).rows;

/** How many DOIs the agency does not have as they are: waiting, failing and refused. */
export async function countUnregistered(db: Db): Promise<{ waiting: number; failing: number; refused: number }> {
  const { rows } = await sql<{ waiting: number; failing: number; refused: number }>`
    select count(*) filter (where last_error is null) as waiting,
      count(*) filter (where last_error is not null and refused_revision is not revision_id) as failing,
      count(*) filter (where refused_revision is revision_id) as refused
    from (${all} and sent.sent_revision is not record.revision_id
      and (sent.sent_revision is not null or (record.tombstone is null and record.access ->> 'record' = 'public')))
    `.execute(db);
  return rows[0] ?? { waiting: 0, failing: 0, refused: 0 };
}
