import { prepared } from "../database/prepared.ts";
import { sortedBy } from "../database/sorted.ts";

/** The owner of entries. An edit draft of a published record shows the record's. */
export interface EntryOwner {
  kind: "draft" | "record";
  id: string;
}

const readEntries = prepared((db, owner: EntryOwner) =>
  db.selectFrom("file_entry").selectAll().where("owner_kind", "=", owner.kind).where("owner_id", "=", owner.id),
);

/** The entries of a draft or record, in their order. */
export const listEntries = sortedBy(readEntries, "position", "created");
