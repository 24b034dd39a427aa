import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { type Page, plainPage } from "../pages/page-frame.ts";
import { words as pageWords } from "../pages/words.ts";
import { accountWords as words } from "./account-words.ts";

/** Why a form was refused: at a field, or as a whole. */
export interface Problem {
  field?: string;
  message: string;
}

export interface Field {
  name: string;
  /** Differs from the name where a page has several forms. */
  id?: string;
  label: string;
  type?: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  help?: string;
  isOptional?: boolean;
}

function fieldOf(field: Field, problem: Problem | undefined): Html {
  const { name, id = name, label, type = "text", autocomplete, value = "", help, isOptional } = field;
  const message = problem?.field === name ? problem.message : undefined;
  const notes = [...(help === undefined ? [] : [`${id}-help`]), ...(message === undefined ? [] : [`${id}-problem`])];
  const input = html`<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"${
    isOptional ? nothing : html` required`
  }${notes.length > 0 ? html` aria-describedby="${notes.join(" ")}"` : nothing}${
    message === undefined ? nothing : html` aria-invalid="true" autofocus`
  }>`;
  return html`<p class="field"><label for="${id}">${label}</label>${
    help === undefined ? nothing : html`<span class="meta" id="${id}-help">${help}</span>`
  }${type === "password" ? withShowButton(input, id, label) : input}${
    message === undefined ? nothing : html`<span class="problem" id="${id}-problem">${message}</span>`
  }</p>`;
}

/** A password can be looked at; the script of the pages shows the button. */
const withShowButton = (input: Html, id: string, label: string): Html =>
  html`<span class="typed">${input}<button type="button" data-shows="${id}" aria-pressed="false" aria-label="${pageWords.show}: ${label}" hidden>${pageWords.show}</button></span>`;

export interface Form {
  title: string;
  text?: string;
  fields: readonly Field[];
  action: string;
  problem?: Problem | undefined;
  /** Values that the form carries along. */
  hidden?: Record<string, string>;
  before?: Html;
  after?: Html;
}

/** A form that posts to the address of its page. */
export function formOf({
  fields,
  action,
  problem,
  hidden = {},
}: Pick<Form, "fields" | "action" | "problem" | "hidden">) {
  return html`<form method="post">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${fields.map((field) => fieldOf(field, problem))}<p><button type="submit" class="button primary">${action}</button></p></form>`;
}

/** A problem that no field shows. It has the focus, as a field with a problem has. */
export const alertOf = (problem: Problem | undefined, fields: readonly Field[]): Html =>
  problem === undefined || fields.some(({ name }) => name === problem.field)
    ? nothing
    : html`<p class="problem" role="alert" tabindex="-1" autofocus>${problem.message}</p>`;

/** A page with one form, which posts to its own address. */
export function formPage({
  title,
  text,
  fields,
  action,
  problem,
  hidden = {},
  before = nothing,
  after = nothing,
}: Form): Page {
  const page = plainPage(
    words.kind,
    title,
    alertOf(problem, fields),
    text === undefined ? nothing : html`<p>${text}</p>`,
    before,
    formOf({ fields, action, problem, hidden }),
    after,
  );
  return { ...page, isShownAgain: true };
}

const passwordField = (label: string): Field => ({
  ...{ name: "password", label, type: "password", autocomplete: "new-password", help: words.passwordRules },
});

export const passwordFields = (account: string): Field[] => [
  { name: "account", label: words.account, autocomplete: "username", value: account },
  { name: "password", label: words.password, type: "password", autocomplete: "current-password" },
];

/** Links to providers, since a form's policy would stop the redirect to them. */
export function providerLinks(
  providers: readonly Pick<SignInProvider, "id" | "label">[],
  query: Record<string, string> = {},
  textOf: (label: string) => string = words.signIn.with,
): Html {
  if (providers.length === 0) return nothing;
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "" && value !== "/"));
  const rest = parameters.size > 0 ? `?${parameters}` : "";
  return html`<ul class="ways-in">${providers.map(
    ({ id, label }) =>
      html`<li><a class="button" rel="nofollow" href="/sign-in/${id}${rest}">${textOf(label)}</a></li>`,
  )}</ul>`;
}

export interface SignInForm {
  next: string;
  account: string;
  providers: readonly SignInProvider[];
}

export const signInPage = ({ next, account, providers }: SignInForm, problem?: Problem): Page => ({
  ...formPage({
    title: words.signIn.title,
    action: words.signIn.action,
    problem,
    fields: passwordFields(account),
    hidden: { next },
    before:
      providers.length === 0 ? nothing : html`${providerLinks(providers, { next })}<h2>${words.signIn.byPassword}</h2>`,
    after: html`<p><a href="/forgot-password">${words.signIn.forgot}</a></p>${
      providers.length > 0 ? nothing : html`<p>${words.signIn.none} <a href="/contact">${pageWords.contactUs}</a></p>`
    }`,
  }),
  next,
});

/** The second step of a sign-in. */
export const codePage = (problem?: Problem): Page =>
  formPage({
    ...{ title: words.code.title, text: words.code.text, action: words.signIn.action, problem },
    fields: [{ name: "code", label: words.code.field, autocomplete: "one-time-code" }],
    after: html`<p class="meta">${words.code.lost}</p>`,
  });

export const signOutPage = (): Page =>
  formPage({
    ...{ title: words.signOut.title, text: words.signOut.text, fields: [], action: words.signOut.action },
  });

export const forgotPage = (email: string, problem?: Problem): Page =>
  formPage({
    ...{ title: words.forgot.title, text: words.forgot.text, action: words.forgot.action, problem },
    fields: [{ name: "email", label: words.email, type: "email", autocomplete: "email", value: email }],
  });

export const noMailPage = (): Page => plainPage(words.kind, words.forgot.title, html`<p>${words.forgot.noMail}</p>`);
export const linkSentPage = (): Page =>
  plainPage(words.kind, words.forgot.sentTitle, html`<p>${words.forgot.sent}</p>`);

export const resetPage = (name: string, problem?: Problem): Page =>
  formPage({
    ...{ title: words.reset.title, text: words.reset.text(name), action: words.reset.action, problem },
    fields: [passwordField(words.newPassword)],
  });

export const resetDonePage = (): Page =>
  plainPage(
    words.kind,
    words.reset.done,
    html`<p>${words.reset.doneText}</p>`,
    html`<p><a class="button primary" href="/sign-in">${words.signIn.action}</a></p>`,
  );

export interface Chosen {
  username?: string | undefined;
  full_name?: string | undefined;
}

export const nameFields = ({ username = "", full_name = "" }: Chosen): Field[] => [
  { name: "username", label: words.username, autocomplete: "username", value: username },
  { name: "full_name", label: words.fullName, autocomplete: "name", value: full_name, isOptional: true },
];

/** @param ways links to providers, with which the invited user may continue instead. */
export const invitationPage = (email: string, ways: Html, chosen: Chosen, problem?: Problem): Page =>
  formPage({
    ...{ title: words.invitation.title, text: words.invitation.text(email), action: words.invitation.action, problem },
    before: ways === nothing ? nothing : html`${ways}<h2>${words.invitation.byPassword}</h2>`,
    fields: [...nameFields(chosen), passwordField(words.password)],
  });

/** For who is signed in and opens an invitation that has ended, such as the one that they accepted. */
export const enteredPage = (): Page =>
  plainPage(
    words.kind,
    words.ended.title,
    html`<p>${words.ended.entered}</p>`,
    html`<p><a class="button primary" href="/">${words.ended.toFirst}</a></p>`,
  );

export const endedPage = (kind: "reset" | "invitation" | "confirmation"): Page =>
  plainPage(
    words.kind,
    words.ended.title,
    html`<p>${words.ended[kind]}</p>`,
    kind === "reset"
      ? html`<p><a class="button primary" href="/forgot-password">${words.ended.resetAgain}</a></p>`
      : nothing,
  );
