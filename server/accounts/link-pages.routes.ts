import type { Request, Response, Router } from "express";
import { z } from "zod";
import { acceptance } from "../../shared/accounts/accounts.schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type ApiRouter, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { PasswordProof } from "../../shared/sign-in/password-proof.service.ts";
import { newPassword } from "../../shared/sign-in/sign-in.schema.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import { accountHomeRoutes } from "./account-home.routes.ts";
import type { AccountPageParts } from "./account-page-parts.ts";
import {
  endedPage,
  enteredPage,
  forgotPage,
  invitationPage,
  linkSentPage,
  noMailPage,
  providerLinks,
  resetDonePage,
  resetPage,
} from "./account-pages.ts";
import { accountWords as words } from "./account-words.ts";
import { entryService } from "./entry.service.ts";
import { fieldsOf, form, leadTo, page, problemIn, problemOf } from "./form-pages.ts";
import { type ProviderPageParts, providerPageRoutes } from "./provider-pages.routes.ts";
import { signInPageRoutes } from "./sign-in-pages.routes.ts";

const passwordForm = z.object({ password: newPassword });

const pagesOf =
  (host: Host) =>
  (req: Request, res: Response, page: Page, status = 200): Promise<void> =>
    answerPage(host, req, res, status, page);

function addReset(router: ApiRouter, { host, accounts: { passwordResets }, entry }: AccountPageParts): void {
  const show = pagesOf(host);

  /** Says that the link has ended; after the first press of a button that was pressed twice, that the password is set. */
  async function showEnded(req: Request, res: Response): Promise<void> {
    const user = await passwordResets.formerUserOf(pathPart(req, "token"));
    const sent = { account: user?.username ?? "", password: fieldsOf(req).password ?? "" };
    const isSet = user !== undefined && (await entry.proveAgain(req, sent)) !== undefined;
    await (isSet ? show(req, res, resetDonePage()) : show(req, res, endedPage("reset"), 404));
  }

  resource(router, "/forgot-password", {
    isForm: true,
    GET: page((req, res) => show(req, res, host.settings.smtp ? forgotPage("") : noMailPage())),
    POST: form(async (req, res) => {
      if (!host.settings.smtp) return show(req, res, noMailPage(), 503);
      const email = (fieldsOf(req).email ?? "").trim();
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
        const problem = { field: "email", message: refusalInWords("Not a valid email address.") };
        return show(req, res, forgotPage(email, problem), 400);
      }
      try {
        await passwordResets.ask(req, email);
        await show(req, res, linkSentPage());
      } catch (error) {
        const { status } = problemOf(res, error);
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
      if (name === undefined) return showEnded(req, res);
      const sent = passwordForm.safeParse(fieldsOf(req));
      if (!sent.success) return show(req, res, resetPage(name, problemIn(sent.error)), 400);
      try {
        await passwordResets.reset(token, sent.data.password);
        await show(req, res, resetDonePage());
      } catch (error) {
        const { status, problem } = problemOf(res, error);
        await (status === 404 ? showEnded(req, res) : show(req, res, resetPage(name, problem), status));
      }
    }),
  });
}

function addInvitation(router: ApiRouter, { host, services, accounts, entry }: AccountPageParts): void {
  const show = pagesOf(host);
  const { accountLinks, invitations } = accounts;
  const open = host.settings.sign_in.providers.filter(({ accounts: who }) => who !== "linked");
  const waysFor = (token: string) => providerLinks(open, { invitation: token });

  /** Lets a new user in. Who needs a second factor is led to where it is set up. */
  async function enter(req: Request, res: Response, proof: PasswordProof): Promise<string> {
    const groups = await services.users.groupsOf(host.db, proof.user.id);
    const { isDemanded } = await services.secondFactors.state(proof.user, groups);
    return entry.enter(req, res, proof, isDemanded ? "/account" : "/");
  }

  /** Says that the link has ended, unless the first press of a button that was pressed twice made the account. */
  async function showEnded(req: Request, res: Response): Promise<void> {
    const { username: account = "", password = "" } = fieldsOf(req);
    const link = await accountLinks.findEnded("invitation", pathPart(req, "token"));
    const proof = link && (await entry.proveAgain(req, { account, password }));
    if (proof) return leadTo(res, await enter(req, res, proof));
    const isSignedIn = (await services.sessions.of(req)) !== undefined;
    await show(req, res, isSignedIn ? enteredPage() : endedPage("invitation"), 404);
  }

  resource(router, "/invitation/:token", {
    isForm: true,
    GET: page(async (req, res) => {
      const token = pathPart(req, "token");
      const link = await accountLinks.find("invitation", token);
      await (link ? show(req, res, invitationPage(link.email, waysFor(token), {})) : showEnded(req, res));
    }),
    POST: form(async (req, res) => {
      const token = pathPart(req, "token");
      const link = await accountLinks.find("invitation", token);
      if (!link) return showEnded(req, res);
      const fields = fieldsOf(req);
      const sent = acceptance.safeParse(fields);
      if (!sent.success)
        return show(req, res, invitationPage(link.email, waysFor(token), fields, problemIn(sent.error)), 400);
      try {
        await invitations.accept(token, sent.data);
        const { username: account, password } = sent.data;
        leadTo(res, await enter(req, res, await entry.prove(req, { account, password })));
      } catch (error) {
        const { status, problem } = problemOf(res, error);
        await (status === 404
          ? showEnded(req, res)
          : show(req, res, invitationPage(link.email, waysFor(token), fields, problem), status));
      }
    }),
  });
}

/** Pages behind the links in mail: a new password, an invitation. They work without script (web 9). */
function mailPageRoutes(parts: AccountPageParts): Router {
  const router = routesAbout("host");
  addReset(router, parts);
  addInvitation(router, parts);
  return router;
}

/** All pages about accounts. */
export function accountPageRouters(given: Omit<ProviderPageParts, "entry">): Router[] {
  const { host, services, accounts } = given;
  const parts = {
    ...given,
    entry: entryService({ host, services, identities: accounts.identities, secret: given.secret }),
  };
  return [signInPageRoutes(parts), mailPageRoutes(parts), providerPageRoutes(parts), accountHomeRoutes(parts)];
}
