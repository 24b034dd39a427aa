import type { Request, Response, Router } from "express";
import type { UserRow } from "../../shared/database/schema.ts";
import { callerOf, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { presentSession } from "../../shared/sign-in/session.presenter.ts";
import { answerPage } from "../pages/page-answer.ts";
import { type AccountHome, accountHomePage, recoveryCodesPage, type SessionLine } from "./account-home.page.ts";
import type { AccountPageParts } from "./account-page-parts.ts";
import { fieldsOf, form, leadTo, page, problemOf } from "./form-pages.ts";

const path = "/account";

/** `/account`: the user's ways to sign in, sessions and second factor (web 9). */
export function accountHomeRoutes({ host, services, accounts }: AccountPageParts): Router {
  const { users, sessions, signIn, secondFactors } = services;
  const { identities } = accounts;
  const router = routesAbout("host");

  async function homeOf(req: Request, user: UserRow): Promise<AccountHome> {
    const caller = callerOf(req);
    const open = await sessions.list(user.id);
    return {
      ...{ name: user.full_name || user.username, email: user.email, providers: host.settings.sign_in.providers },
      identities: await identities.list(user.id),
      sessions: open.map((one) => presentSession(one, caller, host.baseUrl) as unknown as SessionLine),
      hasPassword: (await users.credentialOf(host.db, user.id)) !== undefined,
      factor: await secondFactors.state(user, await users.groupsOf(host.db, user.id)),
      waiting: await secondFactors.waiting(user),
    };
  }

  type Step = (req: Request, user: UserRow, fields: Record<string, string>) => Promise<readonly string[] | undefined>;
  const consent = (req: Request, { password = "" }: Record<string, string>) =>
    signIn.confirm(callerOf(req), req, password);

  /** Each returns the recovery codes to show, if there are new ones. */
  const steps: Record<string, Step> = {
    "remove-identity": async (req, _user, { id = "" }) => void (await identities.remove(callerOf(req), id)),
    "end-session": async (req, _user, { id = "" }) => void (await sessions.end(callerOf(req), id)),
    "begin-factor": async (req, _user, fields) => void (await secondFactors.begin(await consent(req, fields))),
    "confirm-factor": (req, user, { code = "" }) => secondFactors.confirm(req, user, code),
    "renew-codes": async (req, _user, fields) =>
      secondFactors.renewCodes(req, await consent(req, fields), fields.code ?? ""),
    "remove-factor": async (req, _user, fields) =>
      void (await secondFactors.remove(req, await consent(req, fields), fields.code ?? "")),
  };

  async function change(req: Request, res: Response, user: UserRow): Promise<void> {
    const fields = fieldsOf(req);
    const { step = "" } = fields;
    try {
      const codes = Object.hasOwn(steps, step) ? await steps[step]?.(req, user, fields) : undefined;
      if (codes) await answerPage(host, req, res, 200, recoveryCodesPage(codes));
      else leadTo(res, path);
    } catch (error) {
      const { status, problem } = problemOf(res, error);
      // What a button removes, its first press has removed, or another browser.
      if (status === 404) return leadTo(res, path);
      const shown = { ...problem, step: /factor|codes/.test(step) ? step : "" };
      await answerPage(host, req, res, status, await accountHomePage(await homeOf(req, user), shown));
    }
  }

  const forUser = (work: (req: Request, res: Response, user: UserRow) => Promise<void>) => {
    return async (req: Request, res: Response): Promise<void> => {
      const { userId, via } = callerOf(req);
      const user = userId === null || via !== "session" ? undefined : await users.find(host.db, userId);
      if (user) await work(req, res, user);
      else leadTo(res, `/sign-in?next=${path}`);
    };
  };

  resource(router, path, {
    isForm: true,
    GET: page(
      forUser(async (req, res, user) =>
        answerPage(host, req, res, 200, await accountHomePage(await homeOf(req, user))),
      ),
    ),
    POST: form(forUser(change)),
  });
  return router;
}
