import { Failure } from "../../shared/kernel/failure.ts";
import { isInsecureAddress } from "../../shared/sync-protocol/connect.schema.ts";

const invalid = (message: string): Failure => new Failure("invalid", message);

/** No server answers at the address now. It may later. */
export class ServerUnreachable extends Failure {
  constructor(message: string) {
    super("invalid", message);
  }
}

/**
 * Whether somebody at the address can be connected to now.
 * @param location where the answer leads instead
 * @throws Failure 400 that says what to do
 */
export function assertUsable(server: string, status: number, location?: unknown): void {
  if (status === 429 || status >= 500)
    throw new ServerUnreachable(`The server cannot be used now: it answered ${status}. Try again later.`);
  if (status < 300 || status >= 400 || typeof location !== "string" || !URL.canParse(location, server)) return;
  const { origin } = new URL(location, server);
  if (origin !== new URL(server).origin) throw invalid(`This address leads to ${origin}. Enter that one.`);
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
