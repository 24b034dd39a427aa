import { createHash } from "node:crypto";
import type { Request } from "express";
import { anonymous, type Caller, type Scope } from "../shared/kernel/caller.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Host } from "../shared/kernel/host.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";
import { findTokenByDigest } from "./authenticate.repository.ts";
import { listRoles } from "./sync/audience.repository.ts";

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
  const query = isRead && typeof req.query.access_token === "string" ? req.query.access_token : undefined;
  if (header === undefined) return query;
  if (query !== undefined) {
    throw new Failure("invalid", "The token was sent twice.", {
      extra: { error: "invalid_request", error_description: "The token was sent twice." },
    });
  }
  const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (token === undefined) {
    throw new Failure("unauthorized", "The credentials could not be read: a bearer token is expected.", {
      headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    });
  }
  return token;
}

/** Tokens of access links shown with the call (records 1.2). */
export function linkTokensOf(req: Request): string[] {
  const sent = req.query.token;
  return (Array.isArray(sent) ? sent : [sent]).filter((token): token is string => typeof token === "string");
}

export const digestOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Who calls the server (requests-users-groups 2.1). */
export function serverAuthenticate(host: Host): Authenticate {
  return async (req): Promise<Caller> => {
    const secret = bearerOf(req);
    const linkTokens = linkTokensOf(req);
    if (secret === undefined) return { ...anonymous, linkTokens };
    const token = await findTokenByDigest(host.db, digestOfSecret(secret));
    const isValid = token && token.revoked_at === null && (token.expires_at === null || token.expires_at > host.now());
    if (!isValid || !token.active) throw invalidToken();
    return {
      userId: token.user_id,
      roles: new Set(await listRoles(host.db, token.user_id)),
      scopes: new Set(token.scopes.split(" ") as Scope[]),
      linkTokens,
      via: "token",
      tokenId: token.id,
    };
  };
}
