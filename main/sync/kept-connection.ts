import { sql } from "kysely";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { Connection } from "./line.ts";
import { recall, remember } from "./person.repository.ts";
import type { TokenSafe } from "./token-safe.ts";

/** Writes a connection down, its token closed. */
export async function keepConnection(tx: Tx, safe: TokenSafe, { server, token, user }: Connection): Promise<void> {
  await remember(tx, "server", server);
  await remember(tx, "token", safe.close(token));
  await remember(tx, "user", user);
}

/** The connection written down; its token is empty when it was closed with a key that is not here any more. */
export async function keptConnection(db: Db, safe: TokenSafe): Promise<Connection | undefined> {
  const [server, kept, user] = [await recall(db, "server"), await recall(db, "token"), await recall(db, "user")];
  if (!server || !kept || !user) return undefined;
  if (safe.isTooOpen(kept)) await closeAfterwards(db, safe.close(kept));
  return { server, token: safe.open(kept) ?? "", user };
}

/** A token of before there was a key, overwritten where it stood. */
async function closeAfterwards(db: Db, closed: string): Promise<void> {
  await sql`pragma secure_delete = on`.execute(db);
  await remember(db, "token", closed);
  await sql`pragma secure_delete = off`.execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
