import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import type { Scope } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, smallBodyBytes, withoutBody } from "../kernel/resource.ts";
import { accountOf } from "../sign-in/sign-in.routes.ts";
import { passwordForm } from "../sign-in/sign-in.schema.ts";
import type { SignInService } from "../sign-in/sign-in.service.ts";
import { requireSignedIn } from "../sign-in/unauthenticated.ts";
import { presentToken } from "./token.presenter.ts";
import { scopeNames } from "./token.schema.ts";
import type { TokenGrant, TokenService } from "./token.service.ts";

export interface TokenRouteParts {
  host: Host;
  tokens: TokenService;
  signIn: SignInService;
}

const usualScopes: readonly Scope[] = ["read", "write"];

/** `/api/tokens` (requests 2.3). */
export function tokenRoutes({ host, tokens, signIn }: TokenRouteParts): Router {
  const router = routesAbout("library");

  /** Accepts a session, a bearer token, or account and password in the body, as the desktop app sends. */
  async function grantFor(req: Request): Promise<TokenGrant> {
    const caller = callerOf(req);
    if (caller.userId !== null) {
      const bound = caller.via === "token" ? { bound: caller.scopes } : {};
      return { userId: caller.userId, byPassword: false, defaultScopes: usualScopes, ...bound };
    }
    const form = passwordForm.safeParse(req.body);
    const account = form.success ? accountOf(form.data) : undefined;
    if (!form.success || !account?.name)
      return { userId: requireSignedIn(caller), byPassword: false, defaultScopes: [] };
    const { user, assertCurrent } = await signIn.verify({ account, ...form.data }, req);
    return { userId: user.id, byPassword: true, defaultScopes: scopeNames, assertCurrent };
  }

  async function create(req: Request, res: Response): Promise<void> {
    const grant = await grantFor(req);
    const { row, secret } = await tokens.issue(grant, req.body, { ...callerOf(req), userId: grant.userId });
    res.setHeader("Cache-Control", "no-store");
    res.locals.isSecret = true;
    await answer(req, res, 201, { ...presentToken(row, host.baseUrl), token: secret, token_type: "Bearer" });
  }

  async function list(req: Request, res: Response): Promise<void> {
    const rows = await tokens.list(host.db, requireSignedIn(callerOf(req)));
    const hits = rows.map((row) => presentToken(row, host.baseUrl));
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function one(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    requireSignedIn(caller);
    await answer(req, res, 200, presentToken(await tokens.require(host.db, caller, pathPart(req, "id")), host.baseUrl));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    requireSignedIn(caller);
    await tokens.revoke(caller, pathPart(req, "id"));
    answerNothing(res);
  }

  async function removeCurrent(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    requireSignedIn(caller);
    await tokens.revoke(caller, caller.tokenId ?? "");
    answerNothing(res);
  }

  resource(router, "/tokens", {
    server: ["GET", "POST"],
    GET: { handle: list, scope: "tokens" },
    POST: { handle: create, scope: "tokens", maxBytes: smallBodyBytes },
  });
  resource(router, "/tokens/current", {
    server: ["DELETE"],
    DELETE: withoutBody({ handle: removeCurrent, scope: "none" }),
  });
  resource(router, "/tokens/:id", {
    server: ["GET", "DELETE"],
    GET: { handle: one, scope: "tokens" },
    DELETE: withoutBody({ handle: remove, scope: "tokens" }),
  });
  return router;
}
