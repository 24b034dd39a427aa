import { isAtLeast, type Level } from "../../shared/access/level.policy.ts";
import type { Db } from "../../shared/database/open.ts";
import { type Caller, isManager, isSuperuser } from "../../shared/kernel/caller.ts";
import type { FoundDocuments, RecordScope } from "../../shared/search/search-index.ts";
import type { GrantedLevels } from "../../shared/search/sqlite/visibility.ts";
import { listDraftAccess, listRecordAccess } from "./family-change.repository.ts";

interface Viewer {
  caller: Caller;
  granted: GrantedLevels;
  scope: RecordScope;
}

interface Owned {
  id: string;
  parent_id: string;
  owner_id: string;
}

/** Leaves out what the rows of this moment do not show the caller: the index may be behind them. */
export async function stillVisible(
  db: Db,
  page: FoundDocuments["page"],
  { caller, granted, scope }: Viewer,
): Promise<FoundDocuments["page"]> {
  const idsOf = (isDraft: boolean) => page.filter((one) => one.isDraft === isDraft).map(({ id }) => id);
  const [records, drafts] = [idsOf(false), idsOf(true)];
  const recordRows = records.length > 0 ? await listRecordAccess(db, records) : [];
  const draftRows = drafts.length > 0 ? await listDraftAccess(db, drafts) : [];
  const has = ({ parent_id, owner_id }: Owned, needed: Level): boolean =>
    isSuperuser(caller) ||
    (isManager(caller) && isAtLeast("preview", needed)) ||
    owner_id === caller.userId ||
    isAtLeast(granted.levels.get(parent_id) ?? "none", needed);
  const isPublic = ({ access }: { access: string }) => (JSON.parse(access) as { record?: string }).record === "public";
  const mayEdit = (row: Owned) => has(row, "edit") || granted.reviewed.has(row.id);
  const mayRead = (row: Owned & { access: string }) => isPublic(row) || has(row, "view");
  const seenRecords = new Set(recordRows.filter(scope === "published" ? mayRead : mayEdit).map(({ id }) => id));
  const seenDrafts = new Set((scope === "published" ? [] : draftRows.filter(mayEdit)).map(({ id }) => id));
  return page.filter(({ isDraft, id }) => (isDraft ? seenDrafts : seenRecords).has(id));
}
