import { preparedFirst } from "../database/prepared.ts";
import { parentDoiScheme } from "./pids.schema.ts";

/** The row with the DOI of all versions of a family, reserved or registered (interoperability 13). */
export const findParentDoi = preparedFirst((db, parentId: string) =>
  db.selectFrom("pid").selectAll().where("parent_id", "=", parentId).where("scheme", "=", parentDoiScheme),
);
