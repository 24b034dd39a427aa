import type { Db } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";

/** Sign-ons so far and the nonce of the last one; `next` is the one under way, whose answer may be lost. */
export interface Identity {
  id: string;
  session: number;
  nonce: string;
  next?: string;
}

/** What a replica remembers of its connection, one row of `setting` each. */
export interface Remembered {
  server: string;
  token: string;
  /** Where the server's links lead. */
  base_url: string;
  user: { id: string; username: string };
  /** Which library that is the account of: on another server the same id is another person. */
  library: string;
  /** A server that was named before it could be reached. */
  wished: { server: string; token: string };
  /** By what the server tells this data folder from a copy of it. */
  identity: Identity;
  /** When this folder was found to be a copy. */
  copied: number;
  /** The database was begun anew with unsent work, which is to be executed again. */
  salvaged: boolean;
  cursor: string;
  /** Feed position of the cursor. */
  seq: number;
  /** How often the server was found to be restored, or all was taken off this computer. */
  lives: number;
  paused: boolean;
  /** What the person is asked: most of what is here would be removed. */
  removal: string;
  /** Which files are kept here. */
  keeping: Keeping;
  /** What the server's operator has set. */
  settings: Record<string, unknown>;
  last_success: number;
  /** Some of what is here cannot be searched yet. */
  unindexed: boolean;
  /** Up to where the entries of that server's vocabularies are here. */
  vocabularies: { server: string; cursor: string };
}

const prefix = "replica.";

const findSetting = preparedFirst((db, name: string) =>
  db.selectFrom("setting").select("value").where("name", "=", name),
);

export async function recall<K extends keyof Remembered>(db: Db, name: K): Promise<Remembered[K] | undefined> {
  const row = await findSetting(db, prefix + name);
  return row === undefined ? undefined : JSON.parse(row.value);
}

const storeSetting = prepared((db, name: string, value: string) =>
  db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value })),
);

export async function remember<K extends keyof Remembered>(db: Db, name: K, value: Remembered[K]): Promise<void> {
  await storeSetting(db, prefix + name, JSON.stringify(value));
}

export const forget = (db: Db, names: readonly (keyof Remembered)[]) =>
  db
    .deleteFrom("setting")
    .where(
      "name",
      "in",
      names.map((name) => prefix + name),
    )
    .execute();

/** What was asked of the server before is not stored any more: it speaks of another state than what is here. */
export const beginAnotherLife = async (db: Db): Promise<void> =>
  remember(db, "lives", ((await recall(db, "lives")) ?? 0) + 1);

const listMemberships = prepared((db, userId: string) =>
  db.selectFrom("membership").select("group_name").where("user_id", "=", userId),
);

export const listRolesOf = async (db: Db, userId: string): Promise<string[]> =>
  (await listMemberships(db, userId)).map((row) => row.group_name);
