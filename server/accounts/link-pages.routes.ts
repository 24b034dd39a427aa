import type { Request, Response, Router } from "express";
import { z } from "zod";
import type { AccountServices } from "../../shared/accounts/account-services.ts";
import { acceptance } from "../../shared/accounts/accounts.schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type ApiRouter, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { newPassword } from "../../shared/sign-in/sign-in.schema.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import {
  endedPage,
  forgotPage,
  invitationPage,
  linkSentPage,
  noMailPage,
  resetDonePage,
  resetPage,
} from "./account-pages.ts";
import { accountWords as words } from "./account-words.ts";
import { fieldsOf, form, leadTo, page, problemIn, problemOf } from "./form-pages.ts";
import { begin, type SignInPageParts, signInPageRoutes } from "./sign-in-pages.routes.ts";

export interface LinkPageParts extends SignInPageParts {
  accounts: AccountServices;
}

const passwordForm = z.object({ password: newPassword });

const pagesOf =
  (host: Host) =>
  (req: Request, res: Response, page: Page, status = 200): Promise<void> =>
    answerPage(host, req, res, status, page);

function addReset(router: ApiRouter, { host, accounts: { passwordResets } }: LinkPageParts): void {
  const show = pagesOf(host);

  resource(router, "/forgot-password", {
    isForm: true,
    GET: page((req, res) => show(req, res, host.settings.smtp ? forgotPage("") : noMailPage)),
    POST: form(async (req, res) => {
      if (!host.settings.smtp) return show(req, res, noMailPage, 503);
      const email = (fieldsOf(req).email ?? "").trim();
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
        const problem = { field: "email", message: "Not a valid email address." };
        return show(req, res, forgotPage(email, problem), 400);
      }
      try {
        await passwordResets.ask(req, email);
        await show(req, res, linkSentPage);
      } catch (error) {
        const { status } = problemOf(error);
        await show(req, res, forgotPage(email, { message: words.forgot.limited }), status);
      }
    }),
  });

  resource(router, "/reset-password/:token", {
    isForm: true,
    GET: page(async (req, res) => {
      const name = (await passwordResets.userOf(pathPart(req, "token")))?.username;
      await (name === undefined ? show(req, res, endedPage("reset"), 404) : show(req, res, resetPage(name)));
    }),
    POST: form(async (req, res) => {
      const token = pathPart(req, "token");
      const name = (await passwordResets.userOf(token))?.username;
      if (name === undefined) return show(req, res, endedPage("reset"), 404);
      const sent = passwordForm.safeParse(fieldsOf(req));
      if (!sent.success) return show(req, res, resetPage(name, problemIn(sent.error)), 400);
      try {
        await passwordResets.reset(token, sent.data.password);
        await show(req, res, resetDonePage);
      } catch (error) {
        const { status, problem } = problemOf(error);
        await show(req, res, status === 404 ? endedPage("reset") : resetPage(name, problem), status);
      }
    }),
  });
}

function addInvitation(router: ApiRouter, { host, services, accounts }: LinkPageParts): void {
  const show = pagesOf(host);
  const { accountLinks, invitations } = accounts;

  resource(router, "/invitation/:token", {
    isForm: true,
    GET: page(async (req, res) => {
      const link = await accountLinks.find("invitation", pathPart(req, "token"));
      await (link ? show(req, res, invitationPage(link.email, {})) : show(req, res, endedPage("invitation"), 404));
    }),
    POST: form(async (req, res) => {
      const token = pathPart(req, "token");
      const link = await accountLinks.find("invitation", token);
      if (!link) return show(req, res, endedPage("invitation"), 404);
      const fields = fieldsOf(req);
      const sent = acceptance.safeParse(fields);
      if (!sent.success) return show(req, res, invitationPage(link.email, fields, problemIn(sent.error)), 400);
      try {
        await invitations.accept(token, sent.data);
        const { username: account, password } = sent.data;
        await begin(services, req, res, { account, password });
        leadTo(res, "/");
      } catch (error) {
        const { status, problem } = problemOf(error);
        const answer = status === 404 ? endedPage("invitation") : invitationPage(link.email, fields, problem);
        await show(req, res, answer, status);
      }
    }),
  });
}

/** Pages behind the links in mail: a new password, an invitation. They work without script (web 9). */
function linkPageRoutes(parts: LinkPageParts): Router {
  const router = routesAbout("host");
  addReset(router, parts);
  addInvitation(router, parts);
  return router;
}

/** All pages about accounts. */
export const accountPageRouters = (parts: LinkPageParts): Router[] => [signInPageRoutes(parts), linkPageRoutes(parts)];
