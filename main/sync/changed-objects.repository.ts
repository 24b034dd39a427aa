import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";

/** What of the objects that changed can be found under which id: of a family also its records and drafts. */
export async function listChanged(db: Db, refs: ObjectRef[]): Promise<{ kind: string; id: string }[]> {
  const changed: { kind: string; id: string }[] = [];
  for (const { kind, id } of refs) {
    if (kind !== "family") changed.push({ kind, id });
    else {
      const records = await db.selectFrom("record").select("id").where("parent_id", "=", id).execute();
      const drafts = await db.selectFrom("draft").select("id").where("parent_id", "=", id).execute();
      changed.push({ kind: "record", id }, ...records.map((row) => ({ kind: "record", id: row.id })));
      changed.push(...drafts.map((row) => ({ kind: "draft", id: row.id })));
    }
  }
  return changed;
}
