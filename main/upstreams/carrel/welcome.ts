import type { Bundle } from "../../../shared/bundles/bundle.schema.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { hello } from "../../../shared/sync-protocol/feed.schema.ts";
import { protocolVersion } from "../../../shared/sync-protocol/protocol-version.ts";
import { ServerUnreachable } from "../../sync/address.ts";
import { assertBundle } from "../../sync/bundle-check.ts";
import { httpTransport, type ServerAnswer, Unreachable } from "../../sync/transport.ts";
import type { Welcome } from "../../sync/upstream.ts";
import { InvalidAnswer } from "../../sync/validate-answer.ts";
import { wireHeaders } from "./wire-headers.ts";

const invalid = (message: string): Failure => new Failure("invalid", message);

/** There is a server at the address, but it does not speak our protocol. */
export class NotCarrel extends Failure {
  constructor() {
    super("invalid", "There is a server at this address, but it is not a Carrel server.");
  }
}

function assertAccepted(answer: ServerAnswer): void {
  if (answer.status === 401) throw invalid("The server was reached, but it does not accept this token.");
  if (answer.status === 403)
    throw invalid("The server was reached, but the token must have the scopes read and write.");
  if (answer.status === 404) throw new NotCarrel();
  if (answer.status === 426) {
    const { message } = answer.body as { message?: string };
    throw invalid(message ?? "The server speaks another version of the protocol.");
  }
  if (answer.status !== 200) throw invalid(`The server answered ${answer.status} instead of a serverHello.`);
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

/** Checks a Carrel server and a token before they are stored. @throws Failure 400 that says what is wrong. */
export async function checkConnection(address: string, token: string): Promise<Welcome> {
  let answer: ServerAnswer;
  try {
    answer = await httpTransport({ server: address, token, headers: wireHeaders }).call("GET", "/api/sync/hello");
  } catch (error) {
    if (error instanceof Unreachable) throw new ServerUnreachable(error.message);
    throw error;
  }
  assertAccepted(answer);
  const parsed = hello.safeParse(answer.body);
  if (!parsed.success) throw new NotCarrel();
  if (parsed.data.oldest_protocol > protocolVersion) throw invalid("This app is too old for the server. Update it.");
  const { user, card, library, base_url: baseUrl = address } = parsed.data;
  if (!isCardOf(card, user.id)) throw new NotCarrel();
  return { account: { server: address, token, user }, library, baseUrl, card };
}
