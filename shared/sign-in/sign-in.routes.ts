import type { Request, Response, Router } from "express";
import type { UserRow } from "../database/schema.ts";
import { isProtected } from "../groups/group.policy.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { type Caller, type Scope, system } from "../kernel/caller.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { assertNoOtherPage } from "../kernel/own-page.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, smallBodyBytes, withoutBody } from "../kernel/resource.ts";
import type { SecondFactors } from "../second-factor/second-factor.service.ts";
import { profileBody } from "../users/profile.schema.ts";
import type { ProfileService } from "../users/profile.service.ts";
import type { Account, UserService } from "../users/user.service.ts";
import type { DeviceService } from "./device.service.ts";
import { presentSession } from "./session.presenter.ts";
import type { SessionService } from "./session.service.ts";
import { credentials } from "./sign-in.schema.ts";
import type { SignInService } from "./sign-in.service.ts";
import { requireSignedIn } from "./unauthenticated.ts";

export interface SignInRouteParts {
  host: Host;
  users: UserService;
  signIn: SignInService;
  sessions: SessionService;
  devices: DeviceService;
  profiles: ProfileService;
  secondFactors: Pick<SecondFactors, "rolesThatCount">;
}

/** The account in a body: the e-mail address, else the user name. */
export function accountOf(body: { email?: string | undefined; username?: string | undefined }): Account {
  return body.email === undefined ? { by: "username", name: body.username ?? "" } : { by: "email", name: body.email };
}

/** `/api/login`, `/api/logout`, `/api/me`, `/api/change-password`, `/api/user/sessions` (requests 2.3; web 9). */
export function signInRoutes(parts: SignInRouteParts): Router {
  const { host, users, signIn, sessions, devices, profiles, secondFactors } = parts;
  const router = routesAbout("library");

  /** The user with the groups that give them rights. */
  async function selfView(user: UserRow, caller: Caller): Promise<Record<string, unknown>> {
    const [body] = await users.present(host.db, caller, [user]);
    return { ...body, roles: [...caller.roles].filter(isProtected).sort() };
  }

  async function login(req: Request, res: Response): Promise<void> {
    assertNoOtherPage(req);
    const sent = parse(credentials, req.body ?? {});
    const proof = await signIn.verify({ account: accountOf(sent), password: sent.password, code: sent.code }, req);
    const { user } = proof;
    const csrf = await sessions.open(req, res, proof);
    await devices.remember(req, res, user.id);
    const roles = new Set(await secondFactors.rolesThatCount(user.id, await users.groupsOf(host.db, user.id)));
    const caller: Caller = { ...system, userId: user.id, roles, scopes: new Set<Scope>(), via: "session" };
    res.setHeader("Cache-Control", "no-store");
    res.locals.isSecret = true;
    const body = { ...(await selfView(user, caller)), csrf_token: csrf };
    await answer(req, res, 200, body, { etag: etagOf(user.revision_id) });
  }

  async function logout(req: Request, res: Response): Promise<void> {
    await sessions.close(req, res);
    await answer(req, res, 200, { message: "User logged out." });
  }

  async function me(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const user = await users.find(host.db, requireSignedIn(caller));
    if (!user) throw notFound();
    await answer(req, res, 200, await selfView(user, caller), { etag: etagOf(user.revision_id) });
  }

  async function changePassword(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    requireSignedIn(caller);
    await signIn.changePassword(caller, req);
    await answer(req, res, 200, { message: "You have successfully changed your password." });
  }

  async function listSessions(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const found = await sessions.list(requireSignedIn(caller));
    const hits = found.map((one) => presentSession(one, caller, host.baseUrl));
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function endSession(req: Request, res: Response): Promise<void> {
    await sessions.end(callerOf(req), pathPart(req, "id"));
    answerNothing(res);
  }

  resource(router, "/user/sessions", { server: ["GET"], GET: listSessions });
  resource(router, "/user/sessions/:id", { server: ["DELETE"], DELETE: withoutBody(endSession) });
  resource(router, "/login", {
    server: ["POST"],
    password: "sign-in",
    POST: { handle: login, scope: "none", maxBytes: smallBodyBytes },
  });
  resource(router, "/logout", {
    server: ["POST"],
    POST: withoutBody({ handle: logout, scope: "none" }),
  });
  async function changeProfile(req: Request, res: Response): Promise<void> {
    requireSignedIn(callerOf(req));
    await profiles.update(callerOf(req), parse(profileBody, req.body ?? {}));
    await me(req, res);
  }

  resource(router, "/me", { server: ["PUT"], GET: me, PUT: { handle: changeProfile, maxBytes: smallBodyBytes } });
  resource(router, "/change-password", {
    server: ["POST"],
    password: "confirmation",
    POST: { handle: changePassword, maxBytes: smallBodyBytes },
  });
  return router;
}
