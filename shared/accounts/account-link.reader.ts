import type { Db } from "../database/open.ts";
import type { AccountLinkRow } from "../database/schema.ts";

export const findLink = (db: Db, id: string): Promise<AccountLinkRow | undefined> =>
  db.selectFrom("account_link").selectAll().where("id", "=", id).executeTakeFirst();
