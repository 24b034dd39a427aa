import type { Request, Response, Router } from "express";
import type { AccessOffer } from "../../shared/access-requests/access-offer.service.ts";
import type { GuestQuestion } from "../../shared/access-requests/guest-question.service.ts";
import { idInToken } from "../../shared/accounts/link-secret.ts";
import type { Services } from "../../shared/api.ts";
import { clientNetwork } from "../../shared/kernel/client-address.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { fieldsOf, form, leadTo, page } from "../accounts/form-pages.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import { answerWithRefusals } from "../pages/record-pages.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import {
  askPage,
  confirmPage,
  messagePage,
  overPage,
  type Problem,
  type RequestedRecord,
  refusedPage,
  requestPage,
  statePage,
} from "./access-request-pages.ts";
import { accessWords as words } from "./access-request-words.ts";

interface Parts {
  host: Host;
  services: Pick<Services, "accessRequests" | "records">;
  /** The secret of the data folder, from which links in mail are computed. */
  secret: Uint8Array;
}

const pathOf = (recordId: string): string => `/records/${encodeURIComponent(recordId)}`;

/** What a refusal says on the page. @throws the error if it is not about what was sent. */
function problemOf(res: Response, error: unknown): { status: number; problem: Problem } {
  if (!(error instanceof Failure) || error.status >= 500) throw error;
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  if (error.kind === "too_many") return { status: 429, problem: { message: words.limited } };
  const [first] = error.problems;
  const problem = first
    ? { field: first.field, message: first.messages.map(refusalInWords).join(" ") }
    : { message: refusalInWords(error.message) };
  return { status: error.status, problem };
}

const showIn =
  (host: Host) =>
  (req: Request, res: Response, shown: Page, status = 200): Promise<void> =>
    answerPage(host, req, res, status, shown);

/** The form with which users and guests ask for access. */
function askPageRoutes({ host, services }: Parts): Router {
  const router = routesAbout("host");
  const { accessRequests, records } = services;
  const show = showIn(host);

  async function recordOf(req: Request): Promise<{ record: RequestedRecord; offer: AccessOffer | undefined }> {
    const found = await records.require(host.db, callerOf(req), pathPart(req, "id"));
    const offer = await accessRequests.offerOf(found);
    const { title = "" } = JSON.parse(found.record.metadata);
    return { record: { title, path: pathOf(found.record.id), conditions: offer?.conditions ?? null }, offer };
  }

  /** Why the caller cannot ask for access; undefined if they can. */
  function obstacle(offer: AccessOffer | undefined, isGuest: boolean): string | undefined {
    if (!offer) return words.hasAccess;
    if (!offer.isForUsers && !offer.isForGuests) return words.closed;
    if (!offer.isAttended) return words.ownerGone;
    if (!isGuest) return offer.isForUsers ? undefined : words.closed;
    if (!offer.isForGuests) return words.closedForGuests;
    return host.settings.smtp ? undefined : words.noMail;
  }

  async function ask(req: Request, res: Response): Promise<void> {
    const { record, offer } = await recordOf(req);
    const isGuest = callerOf(req).userId === null;
    const reason = obstacle(offer, isGuest);
    const isRead = req.method === "GET" || req.method === "HEAD";
    const by = { isGuest, maySignIn: offer?.isForUsers === true };
    const open = () => accessRequests.openOf(callerOf(req), pathPart(req, "id"));
    const asked = offer && (await open());
    if (asked !== undefined) return show(req, res, requestPage(words.asked, asked, record.path));
    const sent = isRead ? {} : fieldsOf(req);
    if (reason !== undefined) return show(req, res, refusedPage(record, by, reason, sent), isRead ? 200 : 403);
    if (isRead) return show(req, res, askPage(record, by, {}));
    // The form of a user, whose session has ended since.
    if (isGuest && sent.email === undefined)
      return show(req, res, askPage(record, by, sent, { message: words.signedOut }), 403);
    try {
      const { message, ...guest } = sent;
      const body = isGuest ? { ...guest, email: guest.email ?? "", message } : { message };
      const id = await accessRequests.ask(callerOf(req), pathPart(req, "id"), body, clientNetwork(req));
      const { title, text } = words.mailed;
      const page = id === undefined ? messagePage(title, text, record.path) : requestPage(words.sent, id, record.path);
      await show(req, res, page);
    } catch (error) {
      const sentMeanwhile = await open();
      if (sentMeanwhile !== undefined) return show(req, res, requestPage(words.asked, sentMeanwhile, record.path));
      const { status, problem } = problemOf(res, error);
      await show(req, res, askPage(record, by, sent, problem), status);
    }
  }

  const answer = (req: Request, res: Response) => answerWithRefusals(host, req, res, () => ask(req, res));
  resource(router, "/records/:id/access-request", { isForm: true, GET: page(answer), POST: form(answer) });
  return router;
}

/** The page of a guest's question: its address is in each mail. */
function questionPageRoutes({ host, services, secret }: Parts): Router {
  const router = routesAbout("host");
  const { questions } = services.accessRequests;
  const show = showIn(host);

  const findQuestion = async (req: Request): Promise<GuestQuestion> => {
    const id = idInToken(secret, pathPart(req, "token"));
    if (id === undefined) throw notFound();
    return questions.require(host.db, id);
  };

  async function showQuestion(req: Request, res: Response): Promise<void> {
    const { confirmation, request, link, isOver } = await findQuestion(req);
    const path = pathOf(confirmation.record_id);
    if (isOver) return show(req, res, overPage(path), 404);
    if (!request) return show(req, res, confirmPage(confirmation.email, path));
    const address = link && `${path}?token=${encodeURIComponent(link.token)}`;
    const access = address === undefined ? undefined : { address, until: link?.expires_at ?? null };
    await show(req, res, statePage(request.status, access, path));
  }

  /** Why nobody may ask for the files of a record any more; undefined while its page is public. */
  async function whyClosed(req: Request, recordId: string): Promise<string | undefined> {
    try {
      await services.records.require(host.db, callerOf(req), recordId);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      return error.kind === "forbidden" ? words.recordClosed : words.recordGone;
    }
  }

  async function actOnQuestion(req: Request, res: Response): Promise<void> {
    const { id: confirmationId, record_id: recordId } = (await findQuestion(req)).confirmation;
    const { action } = fieldsOf(req);
    const id = host.newUuid();
    try {
      if (action === "confirm") await questions.confirm(callerOf(req), { confirmationId, id });
      else if (action === "withdraw") await questions.withdraw(callerOf(req), { confirmationId, logId: id });
    } catch (error) {
      const { status, problem } = problemOf(res, error);
      // Decided meanwhile: the page says how.
      if (action === "withdraw") return leadTo(res, req.originalUrl);
      const text = (await whyClosed(req, recordId)) ?? problem.message;
      return show(req, res, messagePage(words.notSent, text, pathOf(recordId)), status);
    }
    leadTo(res, req.originalUrl);
  }

  resource(router, "/access-requests/:token", {
    isForm: true,
    GET: page(showQuestion),
    POST: form(actOnQuestion),
  });
  return router;
}

/** All pages about requests for access. They work without script. */
export const accessRequestPages = (parts: Parts): Router[] => [askPageRoutes(parts), questionPageRoutes(parts)];
