import { hostname } from "node:os";
import { Failure } from "../../shared/kernel/failure.ts";
import { addressOf } from "./connect.ts";
import { inWords } from "./transport.ts";

/** What a person signs in with when she has no token at hand. */
export interface PasswordForm {
  /** User name or e-mail address. */
  account: string;
  password: string;
}

const plain = (message: string): Failure => new Failure("invalid", message);
const timeoutMs = 15_000;

async function send(method: string, url: string, rest: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { method, ...rest, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw plain(inWords(error));
  }
}

function refusalOf(response: Response): Failure {
  if (response.status === 401) {
    return plain(
      "The server was reached, but this name and password do not fit. After five wrong tries it makes one wait.",
    );
  }
  if (response.status === 429) {
    const minutes = Math.ceil(Number(response.headers.get("retry-after") ?? 60) / 60);
    return plain(
      `There were too many wrong tries. The server takes the next one in ${minutes === 1 ? "a minute" : `${minutes} minutes`}, or an access token at once.`,
    );
  }
  return plain("There is a server at this address, but one cannot sign in to it like this. Is it a Carrel server?");
}

/**
 * Gets a token for this computer by password (requests 2.3, desktop sign-in). The password is kept nowhere.
 * @throws Failure 400 that says plainly what is wrong.
 */
export async function tokenByPassword(server: string, { account, password }: PasswordForm): Promise<string> {
  const name = account.trim();
  const body = JSON.stringify({
    [name.includes("@") ? "email" : "username"]: name,
    password,
    name: `Carrel on ${hostname()}`.slice(0, 255),
  });
  const headers = { accept: "application/json", "content-type": "application/json" };
  const response = await send("POST", `${addressOf(server)}/api/tokens`, { headers, body });
  const answer: unknown = await response.json().catch(() => undefined);
  const { token } = (answer ?? {}) as { token?: unknown };
  if (response.status !== 201 || typeof token !== "string") throw refusalOf(response);
  return token;
}

/** Gives back a token that was of no use. */
export async function returnToken(server: string, token: string): Promise<void> {
  await send("DELETE", `${addressOf(server)}/api/tokens/current`, { headers: { authorization: `Bearer ${token}` } });
}
