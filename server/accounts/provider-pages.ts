import type { UserRow } from "../../shared/database/schema.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { type Page, plainPage } from "../pages/page-frame.ts";
import { homeWords } from "./account-home.words.ts";
import {
  alertOf,
  type Chosen,
  type Field,
  formOf,
  formPage,
  nameFields,
  type Problem,
  passwordFields,
  providerLinks,
} from "./account-pages.ts";
import { accountWords } from "./account-words.ts";
import { onWayTo } from "./next-page.ts";
import { providerWords as words } from "./provider-words.ts";

type Named = Pick<SignInProvider, "id" | "label">;

const linkTo = (address: string, text: string): Html =>
  html`<p><a class="button primary" href="${address}">${text}</a></p>`;

/** The ways that are left after a sign-in that came to nothing. */
interface Onward {
  others: readonly Named[];
  /** Where the sign-in was to lead to. */
  next: string;
  /** The user is signed in, and wanted to link an account. */
  isSignedIn: boolean;
}

const failedPage = (title: string, text: string, { others, next, isSignedIn }: Onward): Page =>
  plainPage(
    accountWords.kind,
    title,
    html`<p>${text}</p>`,
    providerLinks(others, { next }),
    isSignedIn ? linkTo("/account", homeWords.title) : linkTo(onWayTo(next, "/sign-in"), words.again),
  );

export const providerDownPage = ({ label, id }: Named, onward: Onward): Page =>
  failedPage(words.down.title(label), (onward.isSignedIn ? words.signedIn.down : words.down.text)(label), {
    ...onward,
    others: onward.others.filter((one) => one.id !== id),
  });

export const refusedPage = (reason: string, onward: Onward): Page =>
  failedPage(onward.isSignedIn ? words.refused.unchanged : words.refused.title, reason, onward);

/** The account is linked to another user here. */
export const takenPage = (onward: Onward): Page =>
  failedPage(words.link.takenTitle, words.link.taken, { ...onward, others: [] });

/** What the page for an unknown account offers, and what was typed there. */
export interface UnknownForm {
  label: string;
  /** How the provider calls the user. */
  who: string;
  accounts: SignInProvider["accounts"];
  sendsMail: boolean;
  typed: Chosen & { step?: string; account?: string; email?: string };
}

/** A part of the page with its own form. A problem is shown in the part that was sent. */
function partOf(title: string, text: string, form: Html): Html {
  return html`<section class="way"><h2>${title}</h2><p>${text}</p>${form}</section>`;
}

function stepForm(step: string, typed: UnknownForm["typed"], fields: Field[], action: string, problem?: Problem): Html {
  const own = typed.step === step ? problem : undefined;
  return html`${alertOf(own, fields)}${formOf({ fields, action, problem: own, hidden: { step } })}`;
}

function newcomerPart({ accounts, sendsMail, typed }: UnknownForm, problem?: Problem): Html {
  if (accounts !== "anyone") return html`<p>${words.unknown.closed}</p>`;
  if (!sendsMail) return html`<p>${words.unknown.noMail}</p>`;
  const email = typed.email ?? "";
  const address: Field = {
    name: "email",
    label: accountWords.email,
    type: "email",
    autocomplete: "email",
    value: email,
  };
  const fields = [...nameFields(typed), address];
  const form = stepForm("new", typed, fields, words.unknown.newAction, problem);
  return partOf(words.unknown.newTitle, words.unknown.newText, form);
}

/** Says that nobody here has this account, and what the user can do (web 9). */
export function unknownPage(offer: UnknownForm, problem?: Problem): Page {
  const { label, who, accounts, typed } = offer;
  const { passwordTitle, passwordText, passwordAction, invitationTitle, invitationText } = words.unknown;
  const password = stepForm("password", typed, passwordFields(typed.account ?? ""), passwordAction, problem);
  return plainPage(
    accountWords.kind,
    words.unknown.title(label),
    html`<p>${words.unknown.text(who, label)}</p>`,
    partOf(passwordTitle, passwordText(label), password),
    accounts === "linked" ? nothing : partOf(invitationTitle, invitationText(label), nothing),
    newcomerPart(offer, problem),
  );
}

/** The address is known already: by an invitation, or because the provider decides on it. */
export const createPage = (
  { label, who, email }: { label: string; who: string; email: string },
  chosen: Chosen,
  problem?: Problem,
): Page =>
  formPage({
    ...{ title: words.create.title, text: words.create.text(email, who, label), action: words.create.action, problem },
    fields: nameFields(chosen),
    hidden: { step: "create" },
  });

/** @param user who is signed in here. */
export const linkPage = (
  { label, who, user: { id, username } }: { label: string; who: string; user: Pick<UserRow, "id" | "username"> },
  problem?: Problem,
): Page =>
  formPage({
    ...{ title: words.link.title(label), text: words.link.text(who, label, username), problem },
    ...{ action: words.link.action, fields: [], hidden: { step: "here", user: id } },
  });

export const confirmSentPage = (): Page =>
  plainPage(accountWords.kind, words.sent.title, html`<p>${words.sent.text}</p>`);

/** The account is there; its user still has to sign in. */
export const confirmedPage = (username: string, provider: Named, next: string): Page =>
  plainPage(
    accountWords.kind,
    words.confirmed.title,
    html`<p>${words.confirmed.text(username, provider.label)}</p>`,
    providerLinks([provider], { next }),
  );

export const confirmPage = (email: string, username: string, label: string, problem?: Problem): Page =>
  formPage({
    ...{ title: words.confirm.title, text: words.confirm.text(email, username, label), problem },
    ...{ action: words.confirm.action, fields: [] },
  });
