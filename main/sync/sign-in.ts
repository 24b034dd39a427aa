import { hostname } from "node:os";
import { Failure } from "../../shared/kernel/failure.ts";
import { addressOf } from "./connect.ts";
import { httpTransport, type ServerAnswer, type Transport, Unreachable } from "./transport.ts";

/** How a user signs in without a token. */
export interface PasswordForm {
  /** User name or e-mail address. */
  account: string;
  password: string;
}

const invalid = (message: string): Failure => new Failure("invalid", message);

function refusalOf(status: number, retryAfter: unknown): Failure {
  if (status === 401) {
    return invalid("The server does not accept this name and password. After five wrong attempts it makes you wait.");
  }
  if (status === 429) {
    const minutes = Math.ceil((Number(retryAfter) || 60) / 60);
    return invalid(
      `There were too many wrong attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}, or sign in with an access token now.`,
    );
  }
  return invalid("The server at this address does not offer this sign-in. Check that it is a Carrel server.");
}

/** @throws Failure 400 if no answer came. */
async function send(server: string, token: string | undefined, call: (transport: Transport) => Promise<ServerAnswer>) {
  const options = { server: addressOf(server), headers: {}, ...(token === undefined ? {} : { token }) };
  try {
    return await call(httpTransport(options));
  } catch (error) {
    if (error instanceof Unreachable) throw invalid(error.message);
    throw error;
  }
}

/**
 * Gets a token for this computer by password (requests 2.3, desktop sign-in). The password is not stored.
 * @param server an address that passed `assertSecure`
 * @throws Failure 400 that says what is wrong.
 */
export async function tokenByPassword(server: string, { account, password }: PasswordForm): Promise<string> {
  const name = account.trim();
  const form = {
    [name.includes("@") ? "email" : "username"]: name,
    password,
    name: `Carrel on ${hostname()}`.slice(0, 255),
  };
  let retryAfter: unknown;
  const onHead = (headers: Record<string, unknown>) => {
    retryAfter = headers["retry-after"];
  };
  const answer = await send(server, undefined, (transport) => transport.call("POST", "/api/tokens", form, { onHead }));
  const { token } = (answer.body ?? {}) as { token?: unknown };
  if (answer.status !== 201 || typeof token !== "string") throw refusalOf(answer.status, retryAfter);
  return token;
}

/** Revokes a token that is not needed. */
export async function returnToken(server: string, token: string): Promise<void> {
  await send(server, token, (transport) => transport.call("DELETE", "/api/tokens/current"));
}
