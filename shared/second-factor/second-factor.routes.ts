import type { Request, Response, Router } from "express";
import type { UserRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, type Method, resource, routesAbout, smallBodyBytes } from "../kernel/resource.ts";
import { isoTime } from "../kernel/timestamps.ts";
import type { SignInService } from "../sign-in/sign-in.service.ts";
import { requireSignedIn } from "../sign-in/unauthenticated.ts";
import type { UserService } from "../users/user.service.ts";
import { factorChange, factorConsent, factorProof } from "./second-factor.schema.ts";
import type { SecondFactors } from "./second-factor.service.ts";

export interface SecondFactorRouteParts {
  host: Host;
  users: UserService;
  signIn: SignInService;
  secondFactors: SecondFactors;
}

/** `/api/user/second-factor`: the caller's second factor (web 9). */
export function secondFactorRoutes({ host, users, signIn, secondFactors }: SecondFactorRouteParts): Router {
  const router = routesAbout("library");

  async function self(req: Request): Promise<UserRow> {
    const user = await users.find(host.db, requireSignedIn(callerOf(req)));
    if (!user) throw notFound();
    return user;
  }

  /** The caller, who confirms by the password who they are. */
  async function confirmed(req: Request) {
    await self(req);
    return signIn.confirm(callerOf(req), req, parse(factorConsent, req.body ?? {}).password);
  }

  async function answerSecret(req: Request, res: Response, status: number, body: Record<string, unknown>) {
    res.setHeader("Cache-Control", "no-store");
    res.locals.isSecret = true;
    await answer(req, res, status, body);
  }

  async function state(req: Request, res: Response): Promise<void> {
    const user = await self(req);
    const found = await secondFactors.state(user, await users.groupsOf(host.db, user.id));
    await answer(req, res, 200, {
      is_on: found.isOn,
      since: found.since === null ? null : isoTime(found.since),
      recovery_codes: found.recoveryCodes,
      is_demanded: found.isDemanded,
    });
  }

  const change = (handle: Method["handle"]): Method => ({ handle, scope: "tokens", maxBytes: smallBodyBytes });
  const confirming = { server: ["POST"], password: "confirmation" } as const;

  resource(router, "/user/second-factor", {
    server: ["GET", "POST"],
    password: "confirmation",
    GET: state,
    POST: change(async (req, res) =>
      answerSecret(req, res, 201, { ...(await secondFactors.begin(await confirmed(req))) }),
    ),
  });
  resource(router, "/user/second-factor/actions/confirm", {
    ...confirming,
    POST: change(async (req, res) => {
      const user = await self(req);
      const { code } = parse(factorProof, req.body ?? {});
      await answerSecret(req, res, 200, { recovery_codes: await secondFactors.confirm(req, user, code) });
    }),
  });
  resource(router, "/user/second-factor/actions/renew-codes", {
    ...confirming,
    POST: change(async (req, res) => {
      const proof = await confirmed(req);
      const { code } = parse(factorChange, req.body ?? {});
      const codes = await secondFactors.renewCodes(req, proof, code);
      await answerSecret(req, res, 200, { recovery_codes: codes });
    }),
  });
  resource(router, "/user/second-factor/actions/remove", {
    ...confirming,
    POST: change(async (req, res) => {
      const proof = await confirmed(req);
      const { code } = parse(factorChange, req.body ?? {});
      await secondFactors.remove(req, proof, code);
      answerNothing(res);
    }),
  });
  return router;
}
