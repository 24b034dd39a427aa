import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";

/** What of the objects that changed can be found under which id: of a family also its records and drafts. */
export async function listChanged(db: Db, refs: ObjectRef[]): Promise<{ kind: string; id: string }[]> {
  const families = JSON.stringify(refs.filter(({ kind }) => kind === "family").map(({ id }) => id));
  const { rows } = await sql<{ kind: string; id: string }>`
    select 'record' as kind, id from record where parent_id in (select value from json_each(${families}))
    union all select 'draft', id from draft where parent_id in (select value from json_each(${families}))`.execute(db);
  return [...refs.map(({ kind, id }) => ({ kind: kind === "family" ? "record" : kind, id })), ...rows];
}
