import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { type Page, plainPage } from "../pages/page-frame.ts";
import { proseOf } from "../pages/prose.ts";
import { dayInWords } from "../pages/words.ts";
import { accessWords as words } from "./access-request-words.ts";

/** Why a form was refused: at a field, or as a whole. */
export interface Problem {
  field?: string;
  message: string;
}

export interface RequestedRecord {
  title: string;
  /** Path of its page. */
  path: string;
  /** HTML of the owner. */
  conditions: string | null;
}

type Fields = Record<string, string>;

const toRecord = (path: string): Html => html`<p><a href="${path}">${words.toRecord}</a></p>`;
const problemText = (name: string, problem: Problem | undefined): Html =>
  problem?.field === name ? html`<span class="problem" id="${name}-problem">${problem.message}</span>` : nothing;
const problemOf = (name: string, problem: Problem | undefined): Html =>
  problem?.field === name ? html` aria-invalid="true" aria-describedby="${name}-problem" autofocus` : nothing;

const line = (name: string, label: string, type: string, complete: string, sent: Fields, problem?: Problem): Html =>
  html`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${
    sent[name] ?? ""
  }" maxlength="250" required${problemOf(name, problem)}>${problemText(name, problem)}</p>`;

const messageField = (sent: Fields, problem?: Problem): Html =>
  html`<p class="field"><label for="message">${words.message}</label><textarea id="message" name="message" rows="6" maxlength="5000"${problemOf(
    "message",
    problem,
  )}>${sent.message ?? ""}</textarea>${problemText("message", problem)}</p>`;

const consentName = "consent_to_share_personal_data";

const guestFields = (sent: Fields, problem?: Problem): Html =>
  html`${line(
    "full_name",
    words.name,
    "text",
    "name",
    sent,
    problem,
  )}${line("email", words.email, "email", "email", sent, problem)}${messageField(
    sent,
    problem,
  )}<p class="choice"><input id="consent" name="${consentName}" type="checkbox" value="true" required${sent[consentName] ? html` checked` : nothing}${problemOf(
    consentName,
    problem,
  )}><label for="consent">${words.consent}</label>${problemText(consentName, problem)}</p>`;

const fieldNames = new Set(["full_name", "email", "message", consentName]);

const conditionsOf = ({ conditions }: RequestedRecord): Html =>
  conditions === null || conditions.trim() === ""
    ? nothing
    : html`<section aria-labelledby="conditions"><h2 id="conditions">${words.conditions}</h2><div class="prose" dir="auto">${proseOf(
        cleanHtml(conditions),
      )}</div></section>`;

interface Asker {
  isGuest: boolean;
  /** Whether people with an account may ask. */
  maySignIn: boolean;
}

const formAt = ({ path }: RequestedRecord): string => `${path}/access-request`;

function signInFirst(record: RequestedRecord, by: Asker): Html {
  if (!by.isGuest || !by.maySignIn) return nothing;
  const signIn = `/sign-in?next=${encodeURIComponent(formAt(record))}`;
  return html`<p><a href="${signIn}" rel="nofollow">${words.signIn}</a></p>`;
}

/** The message of a refused form, so that the user can copy it. */
const typedMessage = ({ message = "" }: Fields): Html =>
  message.trim() === ""
    ? nothing
    : html`<p class="field"><label for="message">${words.message}</label><textarea id="message" rows="6" readonly>${message}</textarea></p>`;

/** Why the form is not shown, and how to get it. */
export const refusedPage = (record: RequestedRecord, by: Asker, reason: string, sent: Fields): Page => ({
  ...plainPage(
    words.kind,
    words.title(record.title),
    html`<p>${reason}</p>`,
    typedMessage(sent),
    signInFirst(record, by),
    toRecord(record.path),
  ),
  next: formAt(record),
});

/** The form of a user, or of a guest, who also says who they are. */
export function askPage(record: RequestedRecord, by: Asker, sent: Fields, problem?: Problem): Page {
  const isOfForm = problem !== undefined && !fieldNames.has(problem.field ?? "");
  const page = plainPage(
    words.kind,
    words.title(record.title),
    isOfForm ? html`<p class="problem" role="alert" tabindex="-1" autofocus>${problem.message}</p>` : nothing,
    html`<p>${words.text}</p>`,
    signInFirst(record, by),
    conditionsOf(record),
    html`<form method="post">${
      by.isGuest ? guestFields(sent, problem) : messageField(sent, problem)
    }<p><button class="button primary">${words.action}</button></p></form>`,
    toRecord(record.path),
  );
  return { ...page, isShownAgain: true, next: formAt(record) };
}

/** A page with a message, in place of the form or after it. */
export const messagePage = (title: string, text: string, path: string): Page =>
  plainPage(words.kind, title, html`<p>${text}</p>`, toRecord(path));

/** A user's request, which was sent now or before. */
export const requestPage = ({ title, text }: { title: string; text: string }, id: string, path: string): Page =>
  plainPage(
    words.kind,
    title,
    html`<p>${text}</p><p><a class="button" href="/me/requests/${id}">${words.toRequest}</a></p>`,
    toRecord(path),
  );

const button = (action: string, label: string, style: string): Html =>
  html`<form method="post"><input type="hidden" name="action" value="${action}"><p><button class="${style}">${label}</button></p></form>`;

/** A guest confirms with a press, because mail programs open links by themselves. */
export const confirmPage = (email: string, path: string): Page =>
  plainPage(
    words.kind,
    words.confirm.title,
    html`<p>${words.confirm.text(email)}</p>`,
    button("confirm", words.action, "button primary"),
    toRecord(path),
  );

export const overPage = (path: string): Page => messagePage(words.over.title, words.over.text, path);

/** What a guest got once the owner accepted. */
interface GuestAccess {
  /** Opens the record with its files. */
  address: string;
  /** The day on which it ends; null if it does not. */
  until: string | null;
}

/** What became of a guest's request. */
export function statePage(status: string, access: GuestAccess | undefined, path: string): Page {
  const [title, text] = words.states[status === "accepted" && !access ? "ended" : status] ?? [status, ""];
  if (status !== "accepted") {
    const isOpen = status === "submitted";
    const withdraw = isOpen ? button("withdraw", words.withdraw, "button") : nothing;
    return plainPage(words.kind, title, html`<p>${text}</p>`, withdraw, toRecord(path));
  }
  return plainPage(
    words.kind,
    title,
    html`<p>${text}</p>`,
    access && access.until !== null ? html`<p>${words.until(dayInWords(access.until))}</p>` : nothing,
    access ? html`<p><a class="button primary" href="${access.address}">${words.openFiles}</a></p>` : toRecord(path),
  );
}
