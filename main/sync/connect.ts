import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { addressOf, assertSecure } from "./address.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import type { Welcome } from "./upstream.ts";

/** @throws Failure 409 for a user other than the owner of the data folder, and for a server with another library. */
async function assertSamePerson(db: Db, { account, library }: Welcome): Promise<void> {
  const known = await recall(db, "user");
  if (!known) return;
  const { username } = known;
  if (known.id !== account.user.id) {
    throw new Failure(
      "conflict",
      `This data folder belongs to ${username}: use another data folder for another account.`,
    );
  }
  const home = await recall(db, "library");
  if (home !== undefined && library !== undefined && home !== library) {
    throw new Failure(
      "conflict",
      `This data folder belongs to ${username} of another server: use another data folder for this server. The content of this folder can still be read and exported.`,
    );
  }
}

export interface ConnectOptions {
  /** The user confirmed an address that is not encrypted. */
  isInsecureAllowed?: boolean;
}

/**
 * Connects a data folder to a server, or signs its user in again.
 * @throws Failure 400 if the server cannot or may not be used, 409 if the token belongs to another user.
 */
export async function connectReplica(
  db: Db,
  engine: SyncEngine,
  server: string,
  token: string,
  { isInsecureAllowed = false }: ConnectOptions = {},
): Promise<void> {
  const isKnown = engine.account?.server === addressOf(server) && engine.account.token === token;
  if (isKnown && !engine.connection.needsSignIn) return;
  assertSecure(server, isInsecureAllowed);
  const welcome = await engine.connection.welcome(addressOf(server), token);
  await assertSamePerson(db, welcome);
  const { account, library, baseUrl, card } = welcome;
  await engine.connect(account, card);
  if (library !== undefined) await remember(db, "library", library);
  await remember(db, "base_url", baseUrl);
}
