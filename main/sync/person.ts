import type { Db } from "../../shared/database/open.ts";
import { anonymous, type Caller } from "../../shared/kernel/caller.ts";
import { listRolesOf, recall } from "./person.repository.ts";

/** The user of this data folder as a caller; `local` before any server was connected. */
export async function personIn(db: Db): Promise<Caller> {
  const user = await recall(db, "user");
  const userId = user?.id ?? "local";
  const roles = new Set(await listRolesOf(db, userId));
  return { ...anonymous, userId, roles, scopes: new Set(["read", "write", "tokens"]), via: "replica" };
}

/** The user here, with the access link in use. */
export const callerIn =
  (db: Db) =>
  async (req: { query: Record<string, unknown> }): Promise<Caller> => {
    const { token } = req.query;
    const linkTokens = typeof token === "string" ? [token] : [];
    return { ...(await personIn(db)), linkTokens };
  };
