import { hostname } from "node:os";
import { Failure, invalidField } from "../../../shared/kernel/failure.ts";
import { addressOf } from "../../sync/address.ts";
import { httpTransport, type ServerAnswer, type Transport, Unreachable } from "../../sync/transport.ts";

/** How a user signs in without a token. */
export interface PasswordForm {
  /** User name or e-mail address. */
  account: string;
  password: string;
  /** The code of the second factor, if the server asks for one. */
  code?: string | undefined;
}

const invalid = (message: string): Failure => new Failure("invalid", message);

/** The server answered, but it is not a Carrel server, or lets nobody sign in by password. */
export class SignInUnknown extends Failure {
  constructor() {
    super("invalid", "The server at this address does not offer this sign-in. Check that it is a Carrel server.");
  }
}

function refusalOf(status: number, retryAfter: unknown, error: unknown): Failure {
  if (error === "second_factor_required") {
    return invalidField("code", "This account has a second factor. Enter the code of your app, or a recovery code.");
  }
  if (error === "invalid_second_factor") {
    return invalidField("code", "The code is wrong, or was used already. Enter the next one.");
  }
  if (status === 401) {
    return invalid("The server does not accept this name and password. After five wrong attempts it makes you wait.");
  }
  if (status === 429) {
    const minutes = Math.ceil((Number(retryAfter) || 60) / 60);
    return invalid(
      `There were too many wrong attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}, or sign in with an access token now.`,
    );
  }
  return new SignInUnknown();
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
export async function tokenByPassword(server: string, { account, password, code }: PasswordForm): Promise<string> {
  const name = account.trim();
  const form = {
    [name.includes("@") ? "email" : "username"]: name,
    password,
    ...(code === undefined || code === "" ? {} : { code }),
    name: `Carrel on ${hostname()}`.slice(0, 255),
  };
  let retryAfter: unknown;
  const onHead = (headers: Record<string, unknown>) => {
    retryAfter = headers["retry-after"];
  };
  const answer = await send(server, undefined, (transport) => transport.call("POST", "/api/tokens", form, { onHead }));
  const { token, error } = (answer.body ?? {}) as { token?: unknown; error?: unknown };
  if (answer.status !== 201 || typeof token !== "string") throw refusalOf(answer.status, retryAfter, error);
  return token;
}

/** Revokes a token that is not needed. */
export async function returnToken(server: string, token: string): Promise<void> {
  await send(server, token, (transport) => transport.call("DELETE", "/api/tokens/current"));
}
