import { prepared } from "../database/prepared.ts";

/** The owner of entries. An edit draft of a published record shows the record's. */
export interface EntryOwner {
  kind: "draft" | "record";
  id: string;
}

/** The entries of a draft or record, in their order. */
export const listEntries = prepared((db, owner: EntryOwner) =>
  db
    .selectFrom("file_entry")
    .selectAll()
    .where("owner_kind", "=", owner.kind)
    .where("owner_id", "=", owner.id)
    .orderBy("position")
    .orderBy("created"),
);
