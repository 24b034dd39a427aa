import { type Html, html, nothing } from "../pages/html.ts";
import { type Page, plainPage } from "../pages/page-frame.ts";
import { accountWords as words } from "./account-words.ts";

/** Why a form was refused: at a field, or as a whole. */
export interface Problem {
  field?: string;
  message: string;
}

interface Field {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  help?: string;
  isOptional?: boolean;
}

function fieldOf(field: Field, problem: Problem | undefined): Html {
  const { name, label, type = "text", autocomplete, value = "", help, isOptional } = field;
  const message = problem?.field === name ? problem.message : undefined;
  const notes = [
    ...(help === undefined ? [] : [`${name}-help`]),
    ...(message === undefined ? [] : [`${name}-problem`]),
  ];
  return html`<p class="field"><label for="${name}">${label}</label>${
    help === undefined ? nothing : html`<span class="meta" id="${name}-help">${help}</span>`
  }<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"${
    isOptional ? nothing : html` required`
  }${notes.length > 0 ? html` aria-describedby="${notes.join(" ")}"` : nothing}${
    message === undefined ? nothing : html` aria-invalid="true"`
  }>${message === undefined ? nothing : html`<span class="problem" id="${name}-problem">${message}</span>`}</p>`;
}

interface Form {
  title: string;
  text?: string;
  fields: readonly Field[];
  action: string;
  problem?: Problem | undefined;
  /** Values that the form carries along. */
  hidden?: Record<string, string>;
  after?: Html;
}

/** A page with one form, which posts to its own address. */
function formPage({ title, text, fields, action, problem, hidden = {}, after = nothing }: Form): Page {
  const isOfField = fields.some(({ name }) => name === problem?.field);
  return plainPage(
    words.kind,
    title,
    problem && !isOfField ? html`<p class="problem" role="alert">${problem.message}</p>` : nothing,
    text === undefined ? nothing : html`<p>${text}</p>`,
    html`<form method="post">${Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}${fields.map((field) => fieldOf(field, problem))}<p><button class="button primary">${action}</button></p></form>`,
    after,
  );
}

const passwordField = (label: string): Field => ({
  ...{ name: "password", label, type: "password", autocomplete: "new-password", help: words.passwordRules },
});

export const signInPage = (next: string, account: string, problem?: Problem): Page =>
  formPage({
    title: words.signIn.title,
    action: words.signIn.action,
    problem,
    fields: [
      { name: "account", label: words.account, autocomplete: "username", value: account },
      { name: "password", label: words.password, type: "password", autocomplete: "current-password" },
    ],
    hidden: { next },
    after: html`<p><a href="/forgot-password">${words.signIn.forgot}</a></p>`,
  });

export const signOutPage: Page = formPage({
  ...{ title: words.signOut.title, text: words.signOut.text, fields: [], action: words.signOut.action },
});

export const forgotPage = (email: string, problem?: Problem): Page =>
  formPage({
    ...{ title: words.forgot.title, text: words.forgot.text, action: words.forgot.action, problem },
    fields: [{ name: "email", label: words.email, type: "email", autocomplete: "email", value: email }],
  });

export const noMailPage: Page = plainPage(words.kind, words.forgot.title, html`<p>${words.forgot.noMail}</p>`);
export const linkSentPage: Page = plainPage(words.kind, words.forgot.sentTitle, html`<p>${words.forgot.sent}</p>`);

export const resetPage = (name: string, problem?: Problem): Page =>
  formPage({
    ...{ title: words.reset.title, text: words.reset.text(name), action: words.reset.action, problem },
    fields: [passwordField(words.newPassword)],
  });

export const resetDonePage: Page = plainPage(
  words.kind,
  words.reset.done,
  html`<p>${words.reset.doneText}</p>`,
  html`<p><a class="button primary" href="/sign-in">${words.signIn.action}</a></p>`,
);

export interface Chosen {
  username?: string | undefined;
  full_name?: string | undefined;
}

export const invitationPage = (email: string, { username = "", full_name = "" }: Chosen, problem?: Problem): Page =>
  formPage({
    ...{ title: words.invitation.title, text: words.invitation.text(email), action: words.invitation.action, problem },
    fields: [
      { name: "username", label: words.username, autocomplete: "username", value: username },
      { name: "full_name", label: words.fullName, autocomplete: "name", value: full_name, isOptional: true },
      passwordField(words.password),
    ],
  });

export const endedPage = (kind: "reset" | "invitation"): Page =>
  plainPage(
    words.kind,
    words.ended.title,
    html`<p>${words.ended[kind]}</p>`,
    kind === "reset"
      ? html`<p><a class="button primary" href="/forgot-password">${words.ended.resetAgain}</a></p>`
      : nothing,
  );
