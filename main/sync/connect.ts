import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { hello } from "../../shared/sync-protocol/feed.schema.ts";
import { protocolVersion } from "../../shared/sync-protocol/protocol-version.ts";
import type { SyncEngine } from "./engine.ts";
import { type Connection, wireHeaders } from "./line.ts";
import { recall, remember } from "./person.repository.ts";
import { httpTransport, type ServerAnswer, Unreachable } from "./transport.ts";

const plain = (message: string): Failure => new Failure("invalid", message);

/** Nothing answers at the address now; it may do so later. */
export class OutOfReach extends Failure {
  constructor(message: string) {
    super("invalid", message);
  }
}

/** An address as it is kept. @throws Failure 400 in words. */
export function addressOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw plain(`'${text}' is no address of a server: something like https://library.example.org is expected.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw plain("The address must begin with http or https.");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function assertAccepted(answer: ServerAnswer): void {
  if (answer.status === 401) throw plain("The server was reached, but it does not accept this token.");
  if (answer.status === 403) throw plain("The server was reached, but the token must have the scopes read and write.");
  if (answer.status === 404) throw plain("There is a server at this address, but it is not a Carrel server.");
  if (answer.status === 426) {
    const { message } = answer.body as { message?: string };
    throw plain(message ?? "The server speaks another version of the protocol.");
  }
  if (answer.status !== 200) throw plain(`The server answered ${answer.status} instead of a welcome.`);
}

interface Welcome {
  connection: Connection;
  library: string | undefined;
  baseUrl: string;
  card: Bundle;
}

/**
 * Tries a server and a token before they are taken.
 * @throws Failure 400 that says plainly what is wrong.
 */
async function checkConnection(server: string, token: string): Promise<Welcome> {
  const address = addressOf(server);
  let answer: ServerAnswer;
  try {
    answer = await httpTransport({ server: address, token, headers: wireHeaders }).call("GET", "/api/sync/hello");
  } catch (error) {
    if (error instanceof Unreachable) throw new OutOfReach(error.message);
    throw error;
  }
  assertAccepted(answer);
  const welcome = hello.safeParse(answer.body);
  if (!welcome.success) throw plain("There is a server at this address, but it is not a Carrel server.");
  if (welcome.data.oldest_protocol > protocolVersion) throw plain("This app is too old for the server. Update it.");
  const { user, card, library, base_url: baseUrl = address } = welcome.data;
  return { connection: { server: address, token, user }, library, baseUrl, card };
}

/** @throws Failure 409 for another person than the data folder belongs to, and for another server with people of its own. */
async function assertSamePerson(db: Db, { connection, library }: Welcome): Promise<void> {
  const known = await recall(db, "user");
  if (!known) return;
  const belongs = `This data folder belongs to ${known.username}`;
  if (known.id !== connection.user.id) {
    throw new Failure("conflict", `${belongs}: another person, another data folder.`);
  }
  const home = await recall(db, "library");
  if (home !== undefined && library !== undefined && home !== library) {
    throw new Failure(
      "conflict",
      `${belongs} of another server: another server, another data folder. What is here can still be read and exported.`,
    );
  }
}

/**
 * Connects a data folder to a server, or signs its person in again.
 * @throws Failure 400 when the server cannot be used, 409 when the token is another person's.
 */
export async function connectReplica(db: Db, engine: SyncEngine, server: string, token: string): Promise<void> {
  const isKnown = engine.connection?.server === addressOf(server) && engine.connection.token === token;
  if (isKnown && !engine.line.needsSignIn) return;
  const welcome = await checkConnection(server, token);
  await assertSamePerson(db, welcome);
  const { connection, library, baseUrl, card } = welcome;
  await engine.connect(connection, card);
  if (library !== undefined) await remember(db, "library", library);
  await remember(db, "base_url", baseUrl);
}
