import type { Request } from "express";
import { anonymous, type Caller, type Scope } from "../shared/kernel/caller.ts";
import { clientAddress } from "../shared/kernel/client-address.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Host } from "../shared/kernel/host.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";
import { routeOf } from "../shared/kernel/route-facts.ts";
import type { SecondFactors } from "../shared/second-factor/second-factor.service.ts";
import type { SessionService } from "../shared/sign-in/session.service.ts";
import type { TokenService } from "../shared/tokens/token.service.ts";
import type { WithGroups } from "../shared/users/joined-groups.ts";
import { linkCookieOf } from "./link-cookie.ts";

const allScopes: ReadonlySet<Scope> = new Set(["read", "write", "tokens"]);

function invalidToken(): Failure {
  const description = "The access token is unknown, expired or revoked.";
  return new Failure("unauthorized", description, {
    headers: { "WWW-Authenticate": `Bearer realm="api", error="invalid_token", error_description="${description}"` },
    extra: { error: "invalid_token", error_description: description },
  });
}

/** The bearer token of a call, or undefined. @throws Failure 401 for another scheme, 400 for two tokens. */
function bearerOf(req: Request): string | undefined {
  const header = req.headers.authorization;
  const isRead = req.method === "GET" || req.method === "HEAD";
  const sent = [isRead ? req.query.access_token : undefined].flat().filter((token) => typeof token === "string");
  if (sent.length + (header === undefined ? 0 : 1) > 1) {
    throw new Failure("invalid", "The token was sent twice.", {
      extra: { error: "invalid_request", error_description: "The token was sent twice." },
    });
  }
  if (header === undefined) return sent[0];
  const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (token === undefined) {
    throw new Failure("unauthorized", "The credentials could not be read: a bearer token is expected.", {
      headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    });
  }
  return token;
}

function addressOf(req: Request): { address?: string } {
  const address = clientAddress(req);
  return address === "" ? {} : { address };
}

/** Tokens of access links: shown with the call (records 1.2), and those that the browser has opened (web 9). */
function linkTokensOf(host: Host, req: Request): string[] {
  const sent = [req.query.token].flat().filter((token): token is string => typeof token === "string");
  return [...new Set([...sent, ...linkCookieOf(host, req)])];
}

export interface AuthenticateParts {
  host: Host;
  tokens: TokenService;
  sessions: SessionService;
  secondFactors: Pick<SecondFactors, "rolesThatCount">;
}

type Known = WithGroups<{ user_id: string }>;

/** Who calls the server: by token, else by the session of a browser (requests-users-groups 2.1). */
export function serverAuthenticate(parts: AuthenticateParts): Authenticate {
  const { host, tokens, sessions, secondFactors } = parts;
  async function person(req: Request, { user_id: userId, groups }: Known, linkTokens: string[]) {
    const roles = new Set(await secondFactors.rolesThatCount(userId, groups));
    return { userId, roles, linkTokens, ...addressOf(req) };
  }

  async function bySession(req: Request, linkTokens: string[]): Promise<Caller> {
    // Signing in is not a call of the session that a browser still has.
    const isSignIn = routeOf(req).facts.password === "sign-in";
    const session = isSignIn ? undefined : await sessions.of(req);
    if (!session) return { ...anonymous, linkTokens, ...addressOf(req) };
    return {
      ...(await person(req, session, linkTokens)),
      scopes: allScopes,
      via: "session",
      sessionId: session.digest,
    };
  }

  return async (req): Promise<Caller> => {
    const secret = bearerOf(req);
    const linkTokens = linkTokensOf(host, req);
    if (secret === undefined) return bySession(req, linkTokens);
    const token = await tokens.verify(host.db, secret);
    if (!token) throw invalidToken();
    const scopes = new Set(token.scopes.split(" ") as Scope[]);
    return { ...(await person(req, token, linkTokens)), scopes, via: "token", tokenId: token.id };
  };
}
