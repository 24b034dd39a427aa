import type { Bundle } from "../../../shared/bundles/bundle.schema.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { hello } from "../../../shared/sync-protocol/feed.schema.ts";
import { protocolVersion } from "../../../shared/sync-protocol/protocol-version.ts";
import { assertUsable, ServerUnreachable } from "../../sync/address.ts";
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
  if (answer.status !== 200) throw new NotCarrel();
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
  let location: unknown;
  const onHead = (headers: Record<string, unknown>): void => {
    location = headers.location;
  };
  try {
    const line = httpTransport({ server: address, token, headers: wireHeaders });
    answer = await line.call("GET", "/api/sync/hello", undefined, { onHead });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    assertUsable(address, error.status ?? 0, location);
    if (error.status === 404) throw new NotCarrel();
    throw new ServerUnreachable(error.message);
  }
  assertUsable(address, answer.status, location);
  assertAccepted(answer);
  const parsed = hello.safeParse(answer.body);
  if (!parsed.success) throw new NotCarrel();
  if (parsed.data.oldest_protocol > protocolVersion) throw invalid("This app is too old for the server. Update it.");
  const { user, card, library, base_url: baseUrl = address } = parsed.data;
  if (!isCardOf(card, user.id)) throw new NotCarrel();
  return { account: { server: address, token, user }, library, baseUrl, card };
}
