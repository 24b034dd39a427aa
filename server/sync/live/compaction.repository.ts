import type { Db } from "../../../shared/database/open.ts";
import type { DocumentRow } from "../../../shared/database/schema.ts";

/** Drafts of these families whose documents exceed `bytes`. */
export const listLargeDocuments = (db: Db, parentIds: string[], bytes: number) =>
  db
    .selectFrom("document")
    .innerJoin("draft", "draft.id", "document.draft_id")
    .select(["document.draft_id as id", "document.parent_id", "draft.updated"])
    .where("document.parent_id", "in", parentIds)
    .where((where) => where(where.fn<number>("length", ["document.state"]), ">", bytes))
    .execute();

export const findDocument = (db: Db, draftId: string): Promise<DocumentRow | undefined> =>
  db.selectFrom("document").selectAll().where("draft_id", "=", draftId).executeTakeFirst();

export const replaceDocument = (db: Db, row: DocumentRow) =>
  db.updateTable("document").set({ state: row.state, epoch: row.epoch }).where("draft_id", "=", row.draft_id).execute();
