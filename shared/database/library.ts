import { randomUUID } from "node:crypto";
import { Failure } from "../kernel/failure.ts";
import type { Db } from "./open.ts";
import { findSetting, insertSetting } from "./setting.repository.ts";

const name = "library";

/** Which library a server's database is, through all its lives: a backup that was restored is still the same one. */
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
 * A data folder is a server's or one person's copy for life: what one writes would spoil the other.
 * @throws Failure `unavailable` in words.
 */
export async function assertHost(db: Db, role: "server" | "replica", path: string): Promise<void> {
  const host = await hostOf(db);
  if (host === undefined || host === role) return;
  const whose = host === "server" ? "a server's" : "a person's own copy";
  throw new Failure("unavailable", `The data folder ${path} is ${whose}: use another one. Nothing was changed.`);
}

/** Makes the database a server's: gives its library a name, once. @throws Failure `unavailable` for a replica's. */
export async function claimForServer(db: Db, path: string): Promise<void> {
  await assertHost(db, "server", path);
  await insertSetting(db, name, randomUUID());
}
