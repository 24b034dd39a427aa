import type { Request, Response, Router } from "express";
import type { AccountLinkRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { type Caller, isSuperuser } from "../kernel/caller.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, smallBodyBytes, withoutBody } from "../kernel/resource.ts";
import { isoTime } from "../kernel/timestamps.ts";
import type { AccountLinks } from "./account-link.service.ts";
import { newInvitation } from "./accounts.schema.ts";
import type { Invitations } from "./invitation.service.ts";

export function presentInvitation(link: AccountLinkRow, baseUrl: string): Record<string, unknown> {
  const self = `${baseUrl}/api/invitations/${link.id}`;
  return {
    id: link.id,
    email: link.email,
    roles: JSON.parse(link.roles),
    invited_by: link.invited_by,
    created: isoTime(link.created),
    expires_at: isoTime(link.expires_at),
    links: { self, resend: `${self}/actions/resend` },
  };
}

/** The caller, who must be an administrator. @throws Failure 403. */
function administrator(req: Request): Caller {
  const caller = callerOf(req);
  if (!isSuperuser(caller)) throw forbidden();
  return caller;
}

export interface InvitationRouteParts {
  host: Host;
  invitations: Invitations;
  accountLinks: Pick<AccountLinks, "addressOf">;
}

/** `/api/invitations`: administrators invite people (web 9). */
export function invitationRoutes({ host, invitations, accountLinks }: InvitationRouteParts): Router {
  const router = routesAbout("library");

  /** Without a mail server the administrator has to hand the link over, so the answer contains it. */
  async function answerNew(req: Request, res: Response, status: number, link: AccountLinkRow): Promise<void> {
    const address = host.settings.smtp ? {} : { link: accountLinks.addressOf(link, host.baseUrl) };
    res.setHeader("Cache-Control", "no-store");
    res.locals.isSecret = true;
    await answer(req, res, status, { ...presentInvitation(link, host.baseUrl), ...address });
  }

  async function create(req: Request, res: Response): Promise<void> {
    const caller = administrator(req);
    await answerNew(req, res, 201, await invitations.invite(caller, parse(newInvitation, req.body ?? {})));
  }

  async function resend(req: Request, res: Response): Promise<void> {
    await answerNew(req, res, 200, await invitations.resend(administrator(req), pathPart(req, "id")));
  }

  async function list(req: Request, res: Response): Promise<void> {
    administrator(req);
    const hits = (await invitations.list(host.db)).map((link) => presentInvitation(link, host.baseUrl));
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function withdraw(req: Request, res: Response): Promise<void> {
    await invitations.withdraw(administrator(req), pathPart(req, "id"));
    answerNothing(res);
  }

  resource(router, "/invitations", {
    server: ["GET", "POST"],
    GET: list,
    // An invitation may carry administrative groups, and its link opens an account.
    POST: { handle: create, scope: "tokens", maxBytes: smallBodyBytes },
  });
  resource(router, "/invitations/:id", { server: ["DELETE"], DELETE: withoutBody(withdraw) });
  resource(router, "/invitations/:id/actions/resend", {
    server: ["POST"],
    POST: withoutBody({ handle: resend, scope: "tokens" }),
  });
  return router;
}
