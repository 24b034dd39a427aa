import type { Request, Response, Router } from "express";
import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { answerPage } from "../pages/page-answer.ts";
import { signInPage, signOutPage } from "./account-pages.ts";
import { accountWords as words } from "./account-words.ts";
import { fieldsOf, form, leadTo, ownPath, page, problemOf } from "./form-pages.ts";

export interface SignInPageParts {
  host: Host;
  services: Pick<Services, "signIn" | "sessions" | "devices">;
}

/** Signs in by name or address, and opens a session. @throws Failure 401, 429. */
export async function begin(
  { signIn, sessions, devices }: SignInPageParts["services"],
  req: Request,
  res: Response,
  { account, password }: { account: string; password: string },
): Promise<void> {
  const by = account.includes("@") ? "email" : "username";
  const proof = await signIn.verify({ by, name: account }, password, req);
  await sessions.open(req, res, proof);
  await devices.remember(req, res, proof.user.id);
}

/** Pages to sign in and out. They work without script (web 9). */
export function signInPageRoutes({ host, services }: SignInPageParts): Router {
  const router = routesAbout("host");
  const { sessions } = services;

  resource(router, "/sign-in", {
    isForm: true,
    password: "sign-in",
    GET: page(async (req, res) => {
      const next = ownPath(req.query.next);
      if ((await sessions.of(req)) !== undefined) leadTo(res, next);
      else await answerPage(host, req, res, 200, signInPage(next, ""));
    }),
    POST: form(async (req, res) => {
      const { account = "", password = "", next } = fieldsOf(req);
      try {
        await begin(services, req, res, { account: account.trim(), password });
        leadTo(res, ownPath(next));
      } catch (error) {
        const { status, problem } = problemOf(error);
        const shown = status === 401 ? { message: words.signIn.wrong } : problem;
        await answerPage(host, req, res, status, signInPage(ownPath(next), account, shown));
      }
    }),
  });

  resource(router, "/sign-out", {
    isForm: true,
    GET: page((req, res) => answerPage(host, req, res, 200, signOutPage)),
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
