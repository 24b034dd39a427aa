import type { Db } from "../../shared/database/open.ts";
import { prepared } from "../../shared/database/prepared.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";
import type { UpstreamFacts } from "./upstream-facts.schema.ts";

/**
 * The registration of this replica: how often, and the last nonce. `next` is the nonce of a call whose answer may be
 * lost.
 */
export interface Identity {
  id: string;
  session: number;
  nonce: string;
  next?: string;
}

/** Stored state of a replica's connection, one row of `setting` each. */
export interface Remembered {
  server: string;
  token: string;
  /** Base URL of the server's links. */
  base_url: string;
  user: { id: string; username: string };
  /** The server's library. On another server the same user id is another user. */
  library: string;
  /** A server given before it could be reached (`--offline`). */
  wished: { server: string; token: string; isInsecureAllowed?: boolean };
  /** Tells this data folder from a copy of it. */
  identity: Identity;
  /** When this folder was recognised as a copy. */
  copied: number;
  /** What the file system says of the data folder of the last start (`folder-stamp`). */
  stamp: string;
  /** The last operation in the database when it was recognised as one of a backup or copy. */
  restored: number;
  /** The database was recreated with salvaged operations, which must be replayed. */
  salvaged: boolean;
  cursor: string;
  /** Feed position of the cursor. */
  seq: number;
  /** The position of the last operations that the server took, in which local epoch. */
  sent: { position: string; seq: number; lives: number };
  /** Local epoch: incremented when the server was restored, or all data was removed from this computer. */
  lives: number;
  paused: boolean;
  /** The question about a mass removal. */
  removal: string;
  /** Rules for files available offline. */
  keeping: Keeping;
  /** Settings of the server's operator. */
  settings: Record<string, unknown>;
  /** The digest of each template at the last exchange with the server, in which local epoch. */
  templates: { epoch: number; digests: Record<string, string> };
  last_success: number;
  /** When the last page of the feed arrived, by both clocks. */
  clocks: { server: number; here: number };
  /** Whether objects wait to be indexed. */
  unindexed: boolean;
  /** Server and cursor of the copied vocabulary entries. */
  vocabularies: { server: string; cursor: string };
  /** The server is not a Carrel server. */
  upstream: UpstreamFacts;
  /** When a server without a feed was looked at, in microseconds UTC. */
  looks: { copyPage?: number; mark?: number; polled?: number; swept?: number };
}

const prefix = "replica.";

export async function recall<K extends keyof Remembered>(db: Db, name: K): Promise<Remembered[K] | undefined> {
  const value = await findSetting(db, prefix + name);
  return value === undefined ? undefined : JSON.parse(value);
}

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

/** Discards answers to calls of before: they describe another state of the server or of this replica. */
export const startNewEpoch = async (db: Db): Promise<void> =>
  remember(db, "lives", ((await recall(db, "lives")) ?? 0) + 1);

const listMemberships = prepared((db, userId: string) =>
  db.selectFrom("membership").select("group_name").where("user_id", "=", userId),
);

export const listRolesOf = async (db: Db, userId: string): Promise<string[]> =>
  (await listMemberships(db, userId)).map((row) => row.group_name);
