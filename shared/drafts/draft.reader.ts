import { familyColumns, splitFamily } from "../access/family.reader.ts";
import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { DocumentRow, DraftRow, ParentRow } from "../database/schema.ts";

export const findDraft = preparedFirst((db, id: string) => db.selectFrom("draft").selectAll().where("id", "=", id));

const selectDraft = (db: Db, id: string) =>
  db
    .selectFrom("draft")
    .leftJoin("parent", "parent.id", "draft.parent_id")
    .selectAll("draft")
    .select(familyColumns)
    .where("draft.id", "=", id);

const findJoined = preparedFirst(selectDraft);
const findWithDocument = preparedFirst((db, id: string) =>
  selectDraft(db, id)
    .leftJoin("document", "document.draft_id", "draft.id")
    .select(["document.epoch as document_epoch", "document.state as document_state"]),
);

/** A draft and its family, read at once. */
export interface OpenDraft {
  draft: DraftRow;
  parent: ParentRow | undefined;
}

export async function findOpenDraft(db: Db, id: string): Promise<OpenDraft | undefined> {
  const found = await findJoined(db, id);
  if (!found) return undefined;
  const { row: draft, parent } = splitFamily(found);
  return { draft, parent };
}

/** A draft, its family and its document, read at once. */
export interface WholeDraft extends OpenDraft {
  document: DocumentRow;
}

export async function findWholeDraft(db: Db, id: string): Promise<WholeDraft | undefined> {
  const found = await findWithDocument(db, id);
  if (!found) return undefined;
  const { document_epoch: epoch, document_state: state, ...joined } = found;
  const { row: draft, parent } = splitFamily(joined);
  if (epoch === null || state === null) throw new Error(`the draft ${id} has no document`);
  return { draft, parent, document: { draft_id: id, parent_id: draft.parent_id, epoch, state } };
}

/** The draft of the next or first version. A family has at most one (records 4.2). */
export const findNextDraft = preparedFirst((db, parentId: string) =>
  db.selectFrom("draft").selectAll().where("parent_id", "=", parentId).where("is_edit", "=", 0),
);

/** The draft whose review the request is, as long as it is linked. */
export const findReviewedDraft = preparedFirst((db, requestId: string) =>
  db.selectFrom("draft").selectAll().where("request_id", "=", requestId),
);
