import { sql } from "kysely";
import { replaceObject } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import type { EngineOptions } from "./engine-options.ts";
import { forget, recall, remember } from "./person.repository.ts";
import { rebaseEverything } from "./rebase.ts";
import type { TokenCipher } from "./token-cipher.ts";
import type { Account } from "./upstream.ts";

/** Stores an account with its token encrypted. */
async function storeAccount(tx: Tx, cipher: TokenCipher, { server, token, user, upstream }: Account): Promise<void> {
  await remember(tx, "server", server);
  if (upstream) await remember(tx, "upstream", upstream);
  else await forget(tx, ["upstream"]);
  await remember(tx, "token", cipher.encrypt(token));
  await remember(tx, "user", user);
}

/** Stores a checked account and its user's card. Objects made by the user `local` become that user's. */
export async function adoptAccount(
  { db, tokenCipher, project, handlers }: Pick<EngineOptions, "db" | "tokenCipher" | "project" | "handlers">,
  account: Account,
  card: Bundle,
): Promise<void> {
  const isNew = (await recall(db, "user")) === undefined;
  await transaction(db, async (tx) => {
    await storeAccount(tx, tokenCipher, account);
    await replaceObject(tx, card);
    await project(tx, [{ kind: card.kind, id: card.id }]);
    if (isNew) await project(tx, await rebaseEverything(tx, handlers()));
  });
}

/** The stored account. Its token is empty if it was encrypted with a key that is no longer available. */
export async function findStoredAccount(db: Db, cipher: TokenCipher): Promise<Account | undefined> {
  const [server, kept, user] = [await recall(db, "server"), await recall(db, "token"), await recall(db, "user")];
  if (!server || !kept || !user) return undefined;
  if (cipher.needsEncryption(kept)) await overwriteToken(db, cipher.encrypt(kept));
  const upstream = await recall(db, "upstream");
  return { server, token: cipher.decrypt(kept) ?? "", user, ...(upstream ? { upstream } : {}) };
}

/** Overwrites an unencrypted token, also in the free pages and the log of the database. */
async function overwriteToken(db: Db, encrypted: string): Promise<void> {
  await sql`pragma secure_delete = on`.execute(db);
  await remember(db, "token", encrypted);
  await sql`pragma secure_delete = off`.execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
