import type { Request, Response, Router } from "express";
import type { z } from "zod";
import { acceptance, type Newcomer } from "../../shared/accounts/accounts.schema.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import type { AccountPageParts } from "./account-page-parts.ts";
import { endedPage, type Problem } from "./account-pages.ts";
import { accountWords } from "./account-words.ts";
import { fieldsOf, form, isSignedIn, leadTo, page, problemIn, problemOf } from "./form-pages.ts";
import type { Arrivals, Pending } from "./provider-arrival.service.ts";
import {
  confirmedPage,
  confirmPage,
  confirmSentPage,
  createPage,
  linkPage,
  refusedPage,
  unknownPage,
} from "./provider-pages.ts";
import { providerWords as words } from "./provider-words.ts";
import type { SealedCookie } from "./sealed-cookie.ts";

export interface LinkingParts extends AccountPageParts {
  arrivals: Arrivals;
  arrived: SealedCookie<Pending>;
}

type Fields = Record<string, string>;

const newcomerForm = acceptance.omit({ password: true });
const addressForm = newcomerForm.extend({ email: newUser.shape.email.max(255) });

/** A refusal of what was typed. */
class Refused extends Error {
  readonly status: number;
  readonly problem: Problem;
  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}

/** @throws Refused with the first wrong field. */
function typedIn<T>(shape: z.ZodType<T>, fields: Fields): T {
  const sent = shape.safeParse(fields);
  if (!sent.success) throw new Refused(400, problemIn(sent.error));
  return sent.data;
}

/** What the page says, which depends on who the user is here. */
async function pageFor(
  { host, services, arrivals }: LinkingParts,
  req: Request,
  found: Pending,
  fields: Fields,
  problem?: Problem,
): Promise<Page> {
  const provider = arrivals.providerOf(found.provider);
  const { name, label: who } = found.vouched;
  const label = provider?.label ?? found.provider;
  const { userId } = callerOf(req);
  const user = userId === null ? undefined : await services.users.find(host.db, userId);
  if (user) return linkPage({ label, who, user }, problem);
  const typed = { full_name: name, ...fields };
  const email = await arrivals.addressOf(found);
  if (email !== undefined) return createPage({ label, who, email }, typed, problem);
  const sendsMail = host.settings.smtp !== undefined;
  return unknownPage({ label, who, accounts: provider?.accounts ?? "linked", sendsMail, typed }, problem);
}

/** `/sign-in/link`: what to do with an account that nobody here has (web 9). */
export function linkPageRoutes(parts: LinkingParts): Router {
  const { host, accounts, entry, arrivals, arrived } = parts;
  const router = routesAbout("host");
  /** Answers a call without a sign-in under way. A signed-in user came back or pressed twice, and gets the account page. */
  async function lost(req: Request, res: Response): Promise<void> {
    if (isSignedIn(req)) return leadTo(res, "/account");
    const onward = { others: host.settings.sign_in.providers, next: "/", isSignedIn: false };
    await answerPage(host, req, res, 400, refusedPage(words.refused.lost, onward));
  }

  const show = async (req: Request, res: Response, found: Pending, fields: Fields): Promise<void> =>
    answerPage(host, req, res, 200, await pageFor(parts, req, found, fields));

  /** The sign-in is done: the account is linked now. */
  async function goIn(req: Request, res: Response, found: Pending): Promise<void> {
    const { vouched, next } = found;
    const row = await accounts.identities.find(host.db, vouched);
    if (!row) return lost(req, res);
    await arrivals.applyClaims(found);
    const path = await entry.enter(req, res, await entry.proofOf(row, vouched), next, vouched);
    arrived.clear(req, res);
    leadTo(res, path);
  }

  async function byPassword(req: Request, res: Response, found: Pending, fields: Fields): Promise<void> {
    const { account = "", password = "" } = fields;
    const proof = await entry.prove(req, { account, password });
    // The second factor comes first: then the page asks whether to link.
    if (await entry.needsCode(proof.user)) return leadTo(res, await entry.enter(req, res, proof, "/sign-in/link"));
    await arrivals.link(callerOf(req), proof.user.id, found, proof);
    await goIn(req, res, found);
  }

  async function linkHere(req: Request, res: Response, found: Pending, fields: Fields): Promise<void> {
    const { userId } = callerOf(req);
    // Another tab may have signed out, or in as somebody else, whom the page did not name.
    if (userId === null || userId !== fields.user) return show(req, res, found, {});
    await arrivals.link(callerOf(req), userId, found);
    await arrivals.applyClaims(found);
    arrived.clear(req, res);
    leadTo(res, found.next);
  }

  async function create(req: Request, res: Response, found: Pending, fields: Fields): Promise<void> {
    await arrivals.create(found, newcomerOf(found, typedIn(newcomerForm, fields)));
    await goIn(req, res, found);
  }

  async function ask(req: Request, res: Response, found: Pending, fields: Fields): Promise<void> {
    const isOpen = arrivals.providerOf(found.provider)?.accounts === "anyone" && host.settings.smtp !== undefined;
    if (!isOpen) return lost(req, res);
    const { email, ...names } = typedIn(addressForm, fields);
    await accounts.registrations.ask(req, email, newcomerOf(found, names));
    await answerPage(host, req, res, 200, confirmSentPage());
  }

  const steps: Record<string, (req: Request, res: Response, found: Pending, fields: Fields) => Promise<void>> = {
    password: byPassword,
    here: linkHere,
    create,
    new: ask,
  };

  resource(router, "/sign-in/link", {
    isForm: true,
    GET: page(async (req, res) => {
      const found = arrived.read(req);
      await (found ? show(req, res, found, {}) : lost(req, res));
    }),
    POST: form(async (req, res) => {
      const found = arrived.read(req);
      const fields = fieldsOf(req);
      const step = Object.hasOwn(steps, fields.step ?? "") ? steps[fields.step ?? ""] : undefined;
      if (!found || !step) return lost(req, res);
      try {
        const isDone = callerOf(req).userId === null && (await accounts.identities.find(host.db, found.vouched));
        await (isDone ? goIn(req, res, found) : step(req, res, found, fields));
      } catch (error) {
        const { status, problem } = error instanceof Refused ? error : problemOf(res, error);
        const shown = status === 401 ? { message: accountWords.signIn.wrong } : problem;
        await answerPage(host, req, res, status, await pageFor(parts, req, found, fields, shown));
      }
    }),
  });
  return router;
}

const newcomerOf = (
  { provider, vouched, next }: Pending,
  names: Pick<Newcomer, "username" | "full_name">,
): Newcomer => ({
  ...names,
  provider,
  next,
  identity: { issuer: vouched.issuer, subject: vouched.subject, label: vouched.label },
});

/**
 * `/confirm-email/{token}`: creates the account, and links to the provider, so that only its user gets in. The form
 * cannot lead there by itself: its page's policy lets no form end on another site.
 */
export function confirmPageRoutes({ host, accounts: { registrations }, arrivals }: LinkingParts): Router {
  const router = routesAbout("host");
  const show = (req: Request, res: Response, status: number, shown: Page) => answerPage(host, req, res, status, shown);
  const goOn = (req: Request, res: Response, { provider: id, username, next }: Newcomer) =>
    show(req, res, 200, confirmedPage(username, { id, label: arrivals.providerOf(id)?.label ?? id }, next));

  /** Says that the link has ended, unless the first press of a button that was pressed twice made the account. */
  async function showEnded(req: Request, res: Response): Promise<void> {
    const done = await registrations.findDone(pathPart(req, "token"));
    await (done ? goOn(req, res, done) : show(req, res, 404, endedPage("confirmation")));
  }

  resource(router, "/confirm-email/:token", {
    isForm: true,
    GET: page(async (req, res) => {
      const found = await registrations.find(pathPart(req, "token"));
      if (!found) return showEnded(req, res);
      const { username, identity } = found.newcomer;
      await show(req, res, 200, confirmPage(found.email, username, identity.label));
    }),
    POST: form(async (req, res) => {
      const token = pathPart(req, "token");
      const found = await registrations.find(token);
      if (!found) return showEnded(req, res);
      try {
        await goOn(req, res, await registrations.confirm(token));
      } catch (error) {
        const { status, problem } = problemOf(res, error);
        if (status === 404) return showEnded(req, res);
        const { username, identity } = found.newcomer;
        await show(req, res, status, confirmPage(found.email, username, identity.label, problem));
      }
    }),
  });
  return router;
}
