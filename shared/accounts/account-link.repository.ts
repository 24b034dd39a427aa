import type { Db } from "../database/open.ts";
import type { AccountLinkRow } from "../database/schema.ts";
import type { Span } from "../kernel/timestamps.ts";

export const insertLink = (db: Db, row: AccountLinkRow) => db.insertInto("account_link").values(row).execute();

/** Invitations that nobody has used or withdrawn, the newest first. */
export const listInvitations = (db: Db): Promise<AccountLinkRow[]> =>
  db
    .selectFrom("account_link")
    .selectAll()
    .where("kind", "=", "invitation")
    .where("ended_at", "is", null)
    .orderBy("created", "desc")
    .orderBy("id")
    .execute();

/** How many links of a kind were asked for in a time, for one address or from one network. */
export async function countLinks(
  db: Db,
  kind: AccountLinkRow["kind"],
  of: { email: string } | { network: string },
  within: Span,
): Promise<number> {
  const [column, value] = "email" in of ? (["email", of.email] as const) : (["network", of.network] as const);
  const { count } = await db
    .selectFrom("account_link")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("kind", "=", kind)
    .where(column, "=", value)
    .where("created", ">", within.after)
    .where("created", "<", within.before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends a link. @returns whether it was still open, so that of two users of one link the first one wins. */
export async function endLink(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("account_link")
    .set({ ended_at: now })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the open links of a kind for one address. */
export const endLinksOf = (db: Db, kind: AccountLinkRow["kind"], email: string, now: number) =>
  db
    .updateTable("account_link")
    .set({ ended_at: now })
    .where("kind", "=", kind)
    .where("email", "=", email)
    .where("ended_at", "is", null)
    .execute();

/** Deletes links that ended before a time, or that a clock made that was ahead. @param created none is younger. */
export const deleteLinksBeyond = (db: Db, { ended, created }: { ended: number; created: number }) =>
  db
    .deleteFrom("account_link")
    .where((where) => where.or([where("expires_at", "<", ended), where("created", ">=", created)]))
    .execute();
