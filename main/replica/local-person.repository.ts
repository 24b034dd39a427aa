import type { Db } from "../../shared/database/open.ts";

/** The user of a data folder before a server is connected: user id `local` (hosts-and-sync 2). */
export async function ensureLocalPerson(db: Db, now: number): Promise<void> {
  await db
    .insertInto("user")
    .values({
      id: "local",
      username: "local",
      email: "",
      full_name: "",
      affiliations: "",
      active: 1,
      confirmed: 1,
      visibility: "restricted",
      email_visibility: "restricted",
      preferences: "{}",
      created: now,
      updated: now,
      revision_id: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
