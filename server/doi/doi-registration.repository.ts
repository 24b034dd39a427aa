import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { DoiRegistrationRow } from "../../shared/database/schema.ts";

/** A DOI of this server, of a published record or of all versions of a family, and what the agency has of it. */
export interface OwnDoi {
  /** For all versions: the id of the family. */
  record_id: string;
  parent_id: string;
  doi: string;
  /** The record that describes it: itself, or the latest public version. */
  described_by: string;
  is_of_all: number;
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

const sent = sql`sent.sent_revision, sent.is_public, sent.refused_revision, sent.attempts, sent.run_at, sent.last_error`;
const isOwn = sql`pid.provider = 'datacite' and pid.state = 'registered'`;

/** DOIs of all versions have a new revision when one of the versions has. */
const all = sql`select * from (
  select pid.record_id, pid.parent_id, pid.identifier as doi, record.id as described_by, 0 as is_of_all,
      record.revision_id, record.access, record.tombstone, record.created, record.updated, ${sent}
    from pid join record on record.id = pid.record_id left join doi_registration sent on sent.record_id = record.id
    where pid.scheme = 'doi' and ${isOwn}
  union all
  select pid.parent_id as record_id, pid.parent_id, pid.identifier as doi, record.id as described_by, 1 as is_of_all,
      (select sum(version.revision_id) from record version where version.parent_id = pid.parent_id) as revision_id,
      record.access, record.tombstone, record.created, record.updated, ${sent}
    from pid join record on record.id = (select version.id from record version where version.parent_id = pid.parent_id
        order by case when version.tombstone is null and version.access ->> 'record' = 'public' then 0 else 1 end,
          version.version_index desc limit 1)
      left join doi_registration sent on sent.record_id = pid.parent_id
    where pid.scheme = 'parent-doi' and ${isOwn}) own where true`;

const isKnownOrPublic = sql`(own.sent_revision is not null or (own.tombstone is null and own.access ->> 'record' = 'public'))`;

/** All DOIs of this server, by record. */
export const listOwnDois = async (db: Db): Promise<OwnDoi[]> =>
  (await sql<OwnDoi>`${all} order by own.created, own.is_of_all, own.record_id`.execute(db)).rows;

/**
 * DOIs whose current revision the agency lacks and that are due, longest waiting first.
 * @param longestMicros no wait is longer; what seems to wait longer comes from a clock that was ahead.
 * @param families limits the search; undefined: all.
 */
export async function listDueDois(
  db: Db,
  due: { now: number; longestMicros: number; limit: number; families?: readonly string[] | undefined },
): Promise<OwnDoi[]> {
  const { now, longestMicros, limit, families } = due;
  const place = families ? sql`and own.parent_id in (select value from json_each(${JSON.stringify(families)}))` : sql``;
  const { rows } = await sql<OwnDoi>`${all} ${place} and own.sent_revision is distinct from own.revision_id
      and own.refused_revision is distinct from own.revision_id and not coalesce(own.run_at, 0) between ${now + 1} and ${now + longestMicros} and ${isKnownOrPublic}
      order by coalesce(own.run_at, 0), own.updated, own.is_of_all desc limit ${limit}`.execute(db);
  return rows;
}

export const upsertRegistration = (db: Db, row: DoiRegistrationRow) =>
  db
    .insertInto("doi_registration")
    .values(row)
    .onConflict((conflict) => conflict.column("record_id").doUpdateSet(row))
    .execute();

/** The due time of a registration that an administrator requested: before all others. */
export const requestedByHand = -1;

/** Makes one or all failed and refused registrations due now, even while the agency is unavailable. @returns how many. */
export async function retryRegistrations(db: Db, recordId: string | undefined): Promise<number> {
  let query = db.updateTable("doi_registration").set({
    ...{ refused_revision: null, attempts: 0, run_at: requestedByHand, last_error: null },
  });
  query = query.where("last_error", "is not", null);
  if (recordId !== undefined) query = query.where("record_id", "=", recordId);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** DOIs that the agency lacks or has in an older form, failures first. */
export const listUnregisteredDois = async (db: Db, limit: number): Promise<OwnDoi[]> =>
  (
    await sql<OwnDoi>`${all} and own.sent_revision is distinct from own.revision_id and ${isKnownOrPublic}
      order by own.last_error is null, own.created, own.record_id limit ${limit}`.execute(db)
  ).rows;

/** How many DOIs the agency does not have as they are: waiting, failing and refused. */
export async function countUnregistered(db: Db): Promise<{ waiting: number; failing: number; refused: number }> {
  const { rows } = await sql<{ waiting: number; failing: number; refused: number }>`
    select count(*) filter (where last_error is null) as waiting,
      count(*) filter (where last_error is not null and refused_revision is distinct from revision_id) as failing,
      count(*) filter (where refused_revision = revision_id) as refused
    from (${all} and own.sent_revision is distinct from own.revision_id and ${isKnownOrPublic}) as waiting_dois`.execute(
    db,
  );
  return rows[0] ?? { waiting: 0, failing: 0, refused: 0 };
}

/** The DOIs of the public versions of a family, the newest first. */
export async function listVersionDois(db: Db, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("pid")
    .innerJoin("record", "record.id", "pid.record_id")
    .select("pid.identifier")
    .where("pid.parent_id", "=", parentId)
    .where("pid.scheme", "=", "doi")
    .where("pid.state", "=", "registered")
    .where("record.tombstone", "is", null)
    .where(sql<boolean>`record.access ->> 'record' = 'public'`)
    .orderBy("record.version_index", "desc")
    .execute();
  return rows.map(({ identifier }) => identifier);
}

/** Makes the versions of a family due again that the agency has already: they now have a DOI of all versions. */
export const expireVersions = (db: Db, parentId: string) =>
  db
    .updateTable("doi_registration")
    .set({ sent_revision: 0 })
    .where("sent_revision", "is not", null)
    .where("record_id", "in", (query) => query.selectFrom("record").select("id").where("parent_id", "=", parentId))
    .execute();
