import type { Services } from "../../../shared/api.ts";
import type { Db } from "../../../shared/database/open.ts";
import { newUser } from "../../../shared/users/user.schema.ts";

/** Creates a user. @returns their id, and the secret of a token of theirs */
export async function createPerson(db: Db, { users, tokens }: Services, username: string, roles: string[]) {
  const userId = await users.create(newUser.parse({ username, email: `${username}@example.org`, roles }));
  const grant = { userId, byPassword: false, defaultScopes: ["read", "write"] as const };
  const { row, secret } = await tokens.issue(grant, { name: "computer" });
  // Else each run would note the use of it at a moment of its own.
  await db.updateTable("token").set({ last_used_at: Number.MAX_SAFE_INTEGER }).where("id", "=", row.id).execute();
  return { userId, secret };
}
