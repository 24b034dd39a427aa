import type { Request, Response, Router } from "express";
import type { AccountLinks } from "../accounts/account-link.service.ts";
import type { PasswordResets } from "../accounts/password-reset.service.ts";
import { quotaBody } from "../blobs/storage-quota.schema.ts";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, smallBodyBytes, withoutBody } from "../kernel/resource.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { presentPerson } from "./person.presenter.ts";
import { assertAdministrator, type PersonDetails, type PersonService } from "./person.service.ts";
import { personListRules, stateOf } from "./person-list.ts";

export interface PersonRouteParts {
  host: Host;
  people: PersonService;
  passwordResets: Pick<PasswordResets, "offer">;
  accountLinks: Pick<AccountLinks, "addressOf">;
}

/** `/api/administration/people`: users, for administrators (app, Missing 10). */
export function personRoutes({ host, people, passwordResets, accountLinks }: PersonRouteParts): Router {
  const router = routesAbout("library");
  const url = (): string => `${host.baseUrl}/api/administration/people`;

  const present = (person: PersonDetails, req: Request): Record<string, unknown> =>
    presentPerson({ ...person, state: stateOf(person.user) }, host.baseUrl, callerOf(req));

  async function list(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    assertAdministrator(caller);
    const request = readSearch(req.query, personListRules);
    const { hits, total } = await people.list(caller, request);
    const shown = hits.map((person) => present(person, req));
    await answer(req, res, 200, searchAnswer({ request, rules: personListRules, url: url(), hits: shown, total }));
  }

  async function answerPerson(req: Request, res: Response): Promise<void> {
    await answer(req, res, 200, present(await people.require(callerOf(req), pathPart(req, "id")), req));
  }

  async function deactivate(req: Request, res: Response): Promise<void> {
    await people.deactivate(callerOf(req), pathPart(req, "id"));
    await answerPerson(req, res);
  }

  async function activate(req: Request, res: Response): Promise<void> {
    await people.activate(callerOf(req), pathPart(req, "id"));
    await answerPerson(req, res);
  }

  async function resetSecondFactor(req: Request, res: Response): Promise<void> {
    await people.resetSecondFactor(callerOf(req), pathPart(req, "id"));
    await answerPerson(req, res);
  }

  /** Without a mail server the administrator has to hand the link over, so the answer contains it. */
  async function resetPassword(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    assertAdministrator(caller);
    const link = await passwordResets.offer(caller, pathPart(req, "id"));
    const address = host.settings.smtp ? {} : { link: accountLinks.addressOf(link, host.baseUrl) };
    res.setHeader("Cache-Control", "no-store");
    res.locals.isSecret = true;
    const sent = { is_mailed: host.settings.smtp !== undefined, email: link.email };
    await answer(req, res, 200, { ...sent, expires_at: isoTime(link.expires_at), ...address });
  }

  async function setQuota(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    assertAdministrator(caller);
    const { quota_bytes } = parse(quotaBody, req.body ?? {});
    await people.setQuota(caller, pathPart(req, "id"), quota_bytes);
    await answerPerson(req, res);
  }

  resource(router, "/administration/people", { server: ["GET"], GET: list });
  resource(router, "/administration/people/:id", { server: ["GET"], GET: answerPerson });
  // These open the account or weaken its protection, so they take the scope that credentials take.
  const resets = {
    "reset-password": { handle: resetPassword, scope: "tokens" },
    "reset-second-factor": { handle: resetSecondFactor, scope: "tokens" },
  } as const;
  for (const [action, method] of Object.entries({ deactivate, activate, ...resets })) {
    resource(router, `/administration/people/:id/actions/${action}`, { server: ["POST"], POST: withoutBody(method) });
  }
  resource(router, "/administration/people/:id/quota", {
    server: ["PUT"],
    PUT: { handle: setQuota, maxBytes: smallBodyBytes },
  });
  return router;
}
