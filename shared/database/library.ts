import { randomUUID } from "node:crypto";
import { Failure } from "../kernel/failure.ts";
import type { Db } from "./open.ts";
import { findSetting, insertSetting } from "./setting.repository.ts";

const name = "library";

/** The id of a server's library. It stays the same when a backup is restored. */
export async function libraryOf(db: Db): Promise<string | undefined> {
  return findSetting(db, name);
}

async function hostOf(db: Db): Promise<"server" | "replica" | undefined> {
  if ((await libraryOf(db)) !== undefined) return "server";
  const local = await db.selectFrom("user").select("id").where("id", "=", "local").executeTakeFirst();
  if (local) return "replica";
  const somebody = await db.selectFrom("user").select("id").limit(1).executeTakeFirst();
  return somebody && "server";
}

/**
 * A data folder belongs to a server or to a replica for ever: each would damage the data of the other.
 * @throws Failure `unavailable` when the folder belongs to the other role.
 */
export async function assertHost(db: Db, role: "server" | "replica", path: string): Promise<void> {
  const host = await hostOf(db);
  if (host === undefined || host === role) return;
  const whose = host === "server" ? "a server's" : "a person's own copy";
  throw new Failure("unavailable", `The data folder ${path} is ${whose}: use another one. Nothing was changed.`);
}

/** Makes the database a server's: gives the library an id, once. @throws Failure `unavailable` for a replica's folder. */
export async function claimForServer(db: Db, path: string): Promise<void> {
  await assertHost(db, "server", path);
  await insertSetting(db, name, randomUUID());
}
