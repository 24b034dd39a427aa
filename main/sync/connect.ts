import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { isInsecureAddress } from "../../shared/sync-protocol/connect.schema.ts";
import { hello } from "../../shared/sync-protocol/feed.schema.ts";
import { protocolVersion } from "../../shared/sync-protocol/protocol-version.ts";
import { assertBundle } from "./bundle-check.ts";
import { type Account, wireHeaders } from "./connection.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import { httpTransport, type ServerAnswer, Unreachable } from "./transport.ts";
import { InvalidAnswer } from "./validate-answer.ts";

const invalid = (message: string): Failure => new Failure("invalid", message);

/** No server answers at the address now. It may later. */
export class ServerUnreachable extends Failure {
  constructor(message: string) {
    super("invalid", message);
  }
}

export const unencrypted =
  "The connection to this address is not encrypted: others on the network can read your sign-in and your work, and change what you receive.";

/** The address is not encrypted, and the user has not confirmed it. */
export class InsecureAddress extends Failure {
  constructor() {
    super("invalid", `${unencrypted} Use an address that begins with https://, or confirm that you want this.`, {
      problems: [{ field: "allow_insecure", messages: ["Confirm the address, or use https."] }],
    });
  }
}

/** Normalises an address. @throws Failure 400. */
export function addressOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid(`'${text}' is not a server address. Enter an address such as https://library.example.org.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalid("The address must begin with http or https.");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/**
 * Refuses to send a token or password to another computer without https, unless the user confirmed the address.
 * @throws InsecureAddress 400.
 */
export function assertSecure(server: string, isAllowed: boolean): void {
  if (!isAllowed && isInsecureAddress(new URL(addressOf(server)))) throw new InsecureAddress();
}

function assertAccepted(answer: ServerAnswer): void {
  if (answer.status === 401) throw invalid("The server was reached, but it does not accept this token.");
  if (answer.status === 403)
    throw invalid("The server was reached, but the token must have the scopes read and write.");
  if (answer.status === 404) throw invalid("There is a server at this address, but it is not a Carrel server.");
  if (answer.status === 426) {
    const { message } = answer.body as { message?: string };
    throw invalid(message ?? "The server speaks another version of the protocol.");
  }
  if (answer.status !== 200) throw invalid(`The server answered ${answer.status} instead of a serverHello.`);
}

interface ServerHello {
  account: Account;
  library: string | undefined;
  baseUrl: string;
  card: Bundle;
}

function isCardOf(card: Bundle, id: string): boolean {
  try {
    assertBundle(card, { kind: "user", id });
    return true;
  } catch (error) {
    if (error instanceof InvalidAnswer) return false;
    throw error;
  }
}

/** Checks a server and a token before they are stored. @throws Failure 400 that says what is wrong. */
async function checkConnection(server: string, token: string): Promise<ServerHello> {
  const address = addressOf(server);
  let answer: ServerAnswer;
  try {
    answer = await httpTransport({ server: address, token, headers: wireHeaders }).call("GET", "/api/sync/hello");
  } catch (error) {
    if (error instanceof Unreachable) throw new ServerUnreachable(error.message);
    throw error;
  }
  assertAccepted(answer);
  const parsed = hello.safeParse(answer.body);
  if (!parsed.success) throw invalid("There is a server at this address, but it is not a Carrel server.");
  if (parsed.data.oldest_protocol > protocolVersion) throw invalid("This app is too old for the server. Update it.");
  const { user, card, library, base_url: baseUrl = address } = parsed.data;
  if (!isCardOf(card, user.id)) throw invalid("There is a server at this address, but it is not a Carrel server.");
  return { account: { server: address, token, user }, library, baseUrl, card };
}

/** @throws Failure 409 for a user other than the owner of the data folder, and for a server with another library. */
async function assertSamePerson(db: Db, { account, library }: ServerHello): Promise<void> {
  const known = await recall(db, "user");
  if (!known) return;
  const belongs = `This data folder belongs to ${known.username}`;
  if (known.id !== account.user.id) {
    throw new Failure("conflict", `${belongs}: use another data folder for another account.`);
  }
  const home = await recall(db, "library");
  if (home !== undefined && library !== undefined && home !== library) {
    throw new Failure(
      "conflict",
      `${belongs} of another server: use another data folder for this server. The content of this folder can still be read and exported.`,
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
  const serverHello = await checkConnection(server, token);
  await assertSamePerson(db, serverHello);
  const { account, library, baseUrl, card } = serverHello;
  await engine.connect(account, card);
  if (library !== undefined) await remember(db, "library", library);
  await remember(db, "base_url", baseUrl);
}
