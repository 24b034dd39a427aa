import { preparedFirst } from "../database/prepared.ts";

/** The feed position of the last change of a record's family. */
export const findLastChange = preparedFirst((db, id: string) =>
  db
    .selectFrom("feed")
    .select((part) => part.fn.max("seq").as("seq"))
    .where("kind", "=", "family")
    .where("object_id", "in", (part) => part.selectFrom("record").select("parent_id").where("id", "=", id)),
);
