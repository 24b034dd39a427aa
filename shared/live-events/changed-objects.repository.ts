import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";

/** An object that can be found here by its id; `family` for records and drafts. */
export interface FoundObject {
  kind: string;
  id: string;
  family?: string;
}

/** The objects that changed, with the records and drafts of each family. */
export async function listChanged(db: Db, refs: ObjectRef[]): Promise<FoundObject[]> {
  const families = JSON.stringify(refs.filter(({ kind }) => kind === "family").map(({ id }) => id));
  const { rows } = await sql<FoundObject>`
    select 'record' as kind, id, parent_id as family from record where parent_id in (select value from json_each(${families}))
    union all select 'draft', id, parent_id from draft where parent_id in (select value from json_each(${families}))`.execute(
    db,
  );
  return [...refs.map(({ kind, id }) => ({ kind: kind === "family" ? "record" : kind, id })), ...rows];
}
