import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";

/** Something that can be found here under its id. */
export interface FoundObject {
  kind: string;
  id: string;
}

/** What of the objects that changed can be found under which id: of a family also its records and drafts. */
export async function listChanged(db: Db, refs: ObjectRef[]): Promise<FoundObject[]> {
  const families = JSON.stringify(refs.filter(({ kind }) => kind === "family").map(({ id }) => id));
  const { rows } = await sql<FoundObject>`
    select 'record' as kind, id from record where parent_id in (select value from json_each(${families}))
    union all select 'draft', id from draft where parent_id in (select value from json_each(${families}))`.execute(db);
  return [...refs.map(({ kind, id }) => ({ kind: kind === "family" ? "record" : kind, id })), ...rows];
}
