import type { Db } from "../../shared/database/open.ts";
import { remember } from "./person.repository.ts";

/**
 * Remembers that the database may be one of a backup or copy. The operations in it may have been sent already, by the
 * replica that it was copied from.
 */
export async function rememberRestore(db: Db): Promise<void> {
  const row = await db
    .selectFrom("operation")
    .select((expression) => expression.fn.max("position").as("last"))
    .executeTakeFirst();
  await remember(db, "restored", row?.last ?? 0);
}
