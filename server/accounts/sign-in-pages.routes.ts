import type { Request, Router } from "express";
import { callerOf, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { AccountPageParts } from "./account-page-parts.ts";
import { codePage, signInPage, signOutPage } from "./account-pages.ts";
import { accountWords as words } from "./account-words.ts";
import { fieldsOf, form, leadTo, page, problemOf } from "./form-pages.ts";
import { onWayTo, ownPath } from "./next-page.ts";

/** Says that the code came too late, or that the browser keeps no cookies. The address alone still has `next` then. */
const notKept = ({ query }: Request): string => onWayTo(ownPath(query.next), "/sign-in", { sent: "1" });

/** Pages to sign in and out. They work without script (web 9). */
export function signInPageRoutes({ host, services, entry }: AccountPageParts): Router {
  const router = routesAbout("host");
  const { sessions } = services;
  const { providers } = host.settings.sign_in;

  resource(router, "/sign-in", {
    isForm: true,
    password: "sign-in",
    GET: page(async (req, res) => {
      const next = ownPath(req.query.next);
      if ((await sessions.of(req)) !== undefined) return leadTo(res, next);
      const problem = req.query.sent === "1" ? { message: words.signIn.notKept } : undefined;
      await answerPage(host, req, res, 200, signInPage({ next, account: "", providers }, problem));
    }),
    POST: form(async (req, res) => {
      const { account = "", password = "", next: sent } = fieldsOf(req);
      const next = ownPath(sent);
      try {
        const proof = await entry.prove(req, { account, password });
        leadTo(res, await entry.enter(req, res, proof, next));
      } catch (error) {
        const { status, problem } = problemOf(res, error);
        const shown = status === 401 ? { message: words.signIn.wrong } : problem;
        await answerPage(host, req, res, status, signInPage({ next, account, providers }, shown));
      }
    }),
  });

  resource(router, "/sign-in/code", {
    isForm: true,
    password: "sign-in",
    GET: page(async (req, res) => {
      if (entry.isWaiting(req)) await answerPage(host, req, res, 200, codePage());
      else leadTo(res, notKept(req));
    }),
    POST: form(async (req, res) => {
      try {
        leadTo(res, (await entry.enterWithCode(req, res, fieldsOf(req).code ?? "")) ?? notKept(req));
      } catch (error) {
        const { status, problem } = problemOf(res, error);
        const { wrong, limited } = words.code;
        const message = { 401: wrong, 429: limited }[status];
        const shown = message === undefined ? problem : { field: "code", message };
        await answerPage(host, req, res, status, codePage(shown));
      }
    }),
  });

  resource(router, "/sign-out", {
    isForm: true,
    GET: page((req, res) => answerPage(host, req, res, 200, signOutPage())),
    POST: form(async (req, res) => {
      await sessions.close(req, res);
      res.setHeader("Clear-Site-Data", '"storage"');
      leadTo(res, "/");
    }),
  });

  /** Where password managers look (a well-known address of the W3C). */
  resource(router, "/.well-known/change-password", {
    GET: page(async (req, res) =>
      leadTo(res, callerOf(req).userId === null ? "/forgot-password" : "/settings/account"),
    ),
  });
  return router;
}
