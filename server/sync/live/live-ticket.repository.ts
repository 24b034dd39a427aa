import { sql } from "kysely";
import type { Db } from "../../../shared/database/open.ts";
import type { TicketRow } from "../../../shared/database/schema.ts";
import type { Span } from "../../../shared/kernel/timestamps.ts";

export const insertTicket = (db: Db, row: TicketRow) => db.insertInto("ticket").values(row).execute();

/** Deletes a ticket and returns it. If two processes take the same ticket, only one gets it. */
export const takeTicket = (db: Db, digest: string): Promise<TicketRow | undefined> =>
  db.deleteFrom("ticket").where("digest", "=", digest).returningAll().executeTakeFirst();

/** Deletes tickets that have ended, and the oldest ones beyond a number. */
export const deleteOldTickets = (db: Db, ends: Span, most: number) =>
  db
    .deleteFrom("ticket")
    .where((where) => {
      const first = where
        .selectFrom("ticket as kept")
        .select("kept.expires_at")
        .orderBy("kept.expires_at", "desc")
        .limit(1)
        .offset(most);
      const hasEnded = where.or([where("expires_at", "<=", ends.after), where("expires_at", ">=", ends.before)]);
      return where.or([hasEnded, where("expires_at", "<=", first)]);
    })
    .execute();

const isOf = (userId: string) => sql<boolean>`caller ->> 'userId' = ${userId}`;

/** Deletes the oldest tickets of a user beyond a number. */
export const deleteOwnTickets = (db: Db, userId: string, most: number) =>
  db
    .deleteFrom("ticket")
    .where(isOf(userId))
    .where("expires_at", "<=", (own) =>
      own
        .selectFrom("ticket as kept")
        .select("kept.expires_at")
        .where(isOf(userId))
        .orderBy("kept.expires_at", "desc")
        .limit(1)
        .offset(most),
    )
    .execute();
