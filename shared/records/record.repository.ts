import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { AccessGrantRow, PidRow, RecordRow } from "../database/schema.ts";
import { doiScheme, parentDoiScheme } from "../identifiers/pids.schema.ts";
import { findLatestRecord } from "./record.reader.ts";

const findMove = preparedFirst((db, id: string) => db.selectFrom("alias").select("new_id").where("old_id", "=", id));

export const findAlias = async (db: Db, id: string): Promise<string | undefined> => (await findMove(db, id))?.new_id;

/** Published versions that are not deleted, newest first. */
export const listRecords = (db: Db, parentId: string): Promise<RecordRow[]> =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc")
    .execute();

/** What a registered DOI names: a version, or a family by the DOI of all versions. Several records may have one from elsewhere. */
export const listByDoi = (db: Db, doi: string): Promise<Pick<PidRow, "scheme" | "parent_id" | "record_id">[]> =>
  db
    .selectFrom("pid")
    .select(["scheme", "parent_id", "record_id"])
    .where("scheme", "in", [doiScheme, parentDoiScheme])
    .where("identifier", "=", doi.toLowerCase())
    .where("state", "=", "registered")
    .orderBy("record_id")
    .execute();

/** A row about a family: a grant, a link (its id), the DOI of all versions (as `id`), or the draft of the next version. */
interface FactRow extends Omit<AccessGrantRow, "subject_type"> {
  part: "grant" | "link" | "doi" | "next";
  subject_type: string;
}

const doiFacts = (ids: string) => sql`select 'doi' as part, identifier as id, parent_id, provider as subject_type,
  null as subject_id, null as permission, null as origin, null as message, null as created
  from pid where scheme = ${parentDoiScheme} and parent_id in (select value from json_each(${ids}))`;

const nextFacts = (ids: string) => sql`select 'next' as part, id, parent_id, null as subject_type, null as subject_id,
  null as permission, null as origin, null as message, created
  from draft where is_edit = 0 and parent_id in (select value from json_each(${ids}))`;

const shareFacts = (ids: string) => sql`select 'grant' as part, id, parent_id, subject_type, subject_id, permission,
  origin, message, created from access_grant where parent_id in (select value from json_each(${ids}))
  union all select 'link', id, parent_id, null, null, permission, null, null, created_at
  from access_link where parent_id in (select value from json_each(${ids}))`;

const readDois = prepared((_db, ids: string) => sql<FactRow>`${doiFacts(ids)}`);
const readForEditors = prepared((_db, ids: string) => sql<FactRow>`${nextFacts(ids)} union all ${doiFacts(ids)}`);
const readForManagers = prepared(
  (_db, ids: string) => sql<FactRow>`${shareFacts(ids)} union all ${nextFacts(ids)} union all ${doiFacts(ids)}`,
);

/** What answers tell of a family besides its row. */
export interface FamilyFacts {
  /** The DOI of all versions, reserved or registered (interoperability 13). */
  parentDoi?: { identifier: string; provider: string };
  hasNextDraft: boolean;
  /** Who besides the owner has access, oldest first. */
  linkIds: string[];
  grants: AccessGrantRow[];
}

const byAge = (one: FactRow, other: FactRow): number => one.created - other.created || (one.id < other.id ? -1 : 1);

/** Whom some facts are for: everybody, those who may edit, those who may manage. */
export type FactsFor = "everybody" | "editors" | "managers";

const readFor = { everybody: readDois, editors: readForEditors, managers: readForManagers };

/** The facts of families that some readers may see, by family id. */
export async function findFamilyFacts(
  db: Db,
  parentIds: readonly string[],
  whom: FactsFor,
): Promise<Map<string, FamilyFacts>> {
  const facts = new Map(
    parentIds.map((id): [string, FamilyFacts] => [id, { hasNextDraft: false, linkIds: [], grants: [] }]),
  );
  if (facts.size === 0) return facts;
  for (const { part, ...row } of (await readFor[whom](db, JSON.stringify(parentIds))).sort(byAge)) {
    const of = facts.get(row.parent_id);
    if (part === "grant") of?.grants.push(row as AccessGrantRow);
    else if (part === "link") of?.linkIds.push(row.id);
    else if (of && part === "next") of.hasNextDraft = true;
    else if (of) of.parentDoi = { identifier: row.id, provider: row.subject_type };
  }
  return facts;
}

export const updateRecord = (db: Db, id: string, change: Partial<RecordRow>) =>
  db.updateTable("record").set(change).where("id", "=", id).execute();

/** Marks the newest version that is not deleted as the latest one. */
export async function markLatest(db: Db, parentId: string): Promise<void> {
  await db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId).execute();
  const latest = await findLatestRecord(db, parentId);
  if (latest) await updateRecord(db, latest.id, { is_latest: 1 });
}

/** Records whose embargo is not lifted yet. */
export const listEmbargoed = (db: Db): Promise<RecordRow[]> =>
  db.selectFrom("record").selectAll().where("access", "like", '%"active":true%').execute();
