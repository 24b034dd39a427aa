import type { Access, AccessService } from "../access/access.service.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow, UsageRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { UsageService } from "../usage/usage.service.ts";
import type { RecordBody } from "./record.presenter.ts";
import type { FamilyFacts } from "./record.repository.ts";

/** Rows that are read for several hits of a list at once. */
export interface HitRows {
  /** By the id of the family. */
  facts: ReadonlyMap<string, FamilyFacts>;
  /** By the id of the record or family. */
  usage: ReadonlyMap<string, UsageRow>;
}

export type HitBodies = (db: Db, caller: Caller, rows: readonly (RecordRow | DraftRow)[]) => AsyncGenerator<RecordBody>;

interface Needs {
  access: AccessService;
  usage: Pick<UsageService, "find">;
  factsOf(db: Db, families: readonly Access[]): Promise<ReadonlyMap<string, FamilyFacts>>;
  ofRecord(db: Db, record: RecordRow, family: Access, read: HitRows): Promise<RecordBody>;
  ofDraft(db: Db, draft: DraftRow, family: Access, options: object, read: HitRows): Promise<RecordBody>;
}

/** How many hits share their queries. Files are read for each hit by itself, since one hit may have thousands. */
const hitsAtOnce = 25;

const isRecord = (row: RecordRow | DraftRow): row is RecordRow => "is_latest" in row;

/** Makes the bodies of the hits of a list, with few queries for all of them. */
export function hitBodies({ access, usage, factsOf, ofRecord, ofDraft }: Needs): HitBodies {
  return async function* (db, caller, rows) {
    for (let at = 0; at < rows.length; at += hitsAtOnce) {
      const some = rows.slice(at, at + hitsAtOnce);
      const parentIds = [...new Set(some.map((row) => row.parent_id))];
      const families = await access.ofMany(db, caller, parentIds);
      const rights = new Map<RecordRow | DraftRow, Access>();
      for (const row of some) {
        const family = families.get(row.parent_id);
        if (family) rights.set(row, isRecord(row) ? family : await access.ofDraftIn(db, caller, family, row.id));
      }
      const read = {
        facts: await factsOf(db, [...rights.values()]),
        usage: await usage.find(db, some.filter(isRecord)),
      };
      for (const [row, family] of rights)
        yield isRecord(row) ? await ofRecord(db, row, family, read) : await ofDraft(db, row, family, {}, read);
    }
  };
}
