import type { Db } from "../database/open.ts";
import type { IdentityRow } from "../database/schema.ts";

type IdentityKey = Pick<IdentityRow, "issuer" | "subject">;

export const findIdentity = (db: Db, { issuer, subject }: IdentityKey): Promise<IdentityRow | undefined> =>
  db.selectFrom("identity").selectAll().where("issuer", "=", issuer).where("subject", "=", subject).executeTakeFirst();

/** Of a user, the oldest first. */
export const listIdentities = (db: Db, userId: string): Promise<IdentityRow[]> =>
  db
    .selectFrom("identity")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created")
    .orderBy("issuer")
    .orderBy("subject")
    .execute();

export const insertIdentity = (db: Db, row: IdentityRow) => db.insertInto("identity").values(row).execute();

export const updateIdentity = (
  db: Db,
  { issuer, subject }: IdentityKey,
  change: Partial<Pick<IdentityRow, "label" | "groups" | "used">>,
) => db.updateTable("identity").set(change).where("issuer", "=", issuer).where("subject", "=", subject).execute();

export const deleteIdentity = (db: Db, { issuer, subject }: IdentityKey) =>
  db.deleteFrom("identity").where("issuer", "=", issuer).where("subject", "=", subject).execute();
