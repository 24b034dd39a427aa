import { type RawBuilder, sql } from "kysely";
import { familyColumns, splitFamily } from "../access/family.reader.ts";
import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { DocumentRow, DraftRow, ParentRow } from "../database/schema.ts";
import { doiScheme, ownProvider } from "../identifiers/pids.schema.ts";

export const findDraft = preparedFirst((db, id: string) => db.selectFrom("draft").selectAll().where("id", "=", id));

const selectDraft = (db: Db, id: string) =>
  db
    .selectFrom("draft")
    .leftJoin("parent", "parent.id", "draft.parent_id")
    .selectAll("draft")
    .select(familyColumns)
    .where("draft.id", "=", id);

const findJoined = preparedFirst(selectDraft);
type Flag = 0 | 1;

/** Which other tables have rows about a draft. Most drafts have few, so this saves queries. */
export interface DraftHas {
  conflicts: Flag;
  /** Of an edit draft: files of its record. */
  files: Flag;
  removedFiles: Flag;
  /** Whether a DOI of the draft is reserved or registered. */
  pids: Flag;
  /** Whether the service has registered its DOI. */
  registeredDoi: Flag;
  reservedDoi: Flag;
}

/** A condition on rows, as 1 or 0 in both dialects. */
const exists = (rows: RawBuilder<unknown>) => sql<Flag>`case when exists (select 1 from ${rows}) then 1 else 0 end`;
const ofDraft = sql`record_id = draft.id and scheme = ${doiScheme}`;

const findWithDocument = preparedFirst((db, id: string) =>
  selectDraft(db, id)
    .leftJoin("document", "document.draft_id", "draft.id")
    .select([
      "document.epoch as document_epoch",
      "document.state as document_state",
      exists(sql`conflict where draft_id = draft.id`).as("has_conflicts"),
      exists(sql`file_entry where owner_id = draft.id
        and owner_kind = case when draft.is_edit = 1 then 'record' else 'draft' end`).as("has_files"),
      exists(sql`removed_file where draft_id = draft.id`).as("has_removed_files"),
      exists(sql`pid where ${ofDraft}`).as("has_pids"),
      exists(sql`pid where ${ofDraft} and provider = ${ownProvider} and state = 'registered'`).as("has_registered"),
      exists(sql`pid where ${ofDraft} and state = 'reserved'`).as("has_reserved"),
    ]),
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

/** A draft with its family and document, and what else there is of it, read at once. */
export interface WholeDraft extends OpenDraft {
  document: DocumentRow;
  has: DraftHas;
}

export async function findWholeDraft(db: Db, id: string): Promise<WholeDraft | undefined> {
  const found = await findWithDocument(db, id);
  if (!found) return undefined;
  const { document_epoch: epoch, document_state: state, has_conflicts: conflicts, ...others } = found;
  const { has_files: files, has_removed_files: removedFiles, has_pids: pids, ...more } = others;
  const { has_registered: registeredDoi, has_reserved: reservedDoi, ...joined } = more;
  const { row: draft, parent } = splitFamily(joined);
  if (epoch === null || state === null) throw new Error(`the draft ${id} has no document`);
  const has = { conflicts, files, removedFiles, pids, registeredDoi, reservedDoi };
  return { draft, parent, document: { draft_id: id, parent_id: draft.parent_id, epoch, state }, has };
}

/** The draft of the next or first version. A family has at most one (records 4.2). */
export const findNextDraft = preparedFirst((db, parentId: string) =>
  db.selectFrom("draft").selectAll().where("parent_id", "=", parentId).where("is_edit", "=", 0),
);

/** The draft whose review the request is, as long as it is linked. */
export const findReviewedDraft = preparedFirst((db, requestId: string) =>
  db.selectFrom("draft").selectAll().where("request_id", "=", requestId),
);
