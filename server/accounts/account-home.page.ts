import { toString as drawQr } from "qrcode";
import type { LinkedIdentity } from "../../shared/identities/identity.service.ts";
import { edtfInWords } from "../../shared/representations/ui.ts";
import type { FactorState, NewFactor } from "../../shared/second-factor/second-factor.service.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { type Page, plainPage } from "../pages/page-frame.ts";
import { words as pageWords } from "../pages/words.ts";
import { homeWords as words } from "./account-home.words.ts";
import { alertOf, type Field, formOf, type Problem, providerLinks } from "./account-pages.ts";
import { accountWords } from "./account-words.ts";

export interface SessionLine {
  id: string;
  browser: string | null;
  system: string | null;
  address: string;
  /** ISO 8601. */
  last_used_at: string;
  is_current: boolean;
}

/** What the page shows. */
export interface AccountHome {
  name: string;
  email: string;
  identities: readonly LinkedIdentity[];
  providers: readonly SignInProvider[];
  sessions: readonly SessionLine[];
  hasPassword: boolean;
  factor: FactorState;
  /** A second factor that waits for its first code. */
  waiting: NewFactor | undefined;
}

/** Which form was refused, and why. */
export interface HomeProblem extends Problem {
  step: string;
}

const day = (iso: string): string => edtfInWords(iso.slice(0, 10), "long", pageWords.language);
const part = (title: string, ...content: Html[]): Html =>
  html`<section class="way"><h2>${title}</h2>${content}</section>`;

/** A button with what it is about, for people who do not see where it stands. */
const rowButton = (step: string, id: string, text: string, full: string): Html =>
  html`<form method="post"><input type="hidden" name="step" value="${step}"><input type="hidden" name="id" value="${id}"><button class="button" aria-label="${full}">${text}</button></form>`;

const isOf = ({ row }: LinkedIdentity, { issuer }: SignInProvider): boolean =>
  issuer.replace(/\/$/, "") === row.issuer.replace(/\/$/, "");

function identityRow(identity: LinkedIdentity, providers: readonly SignInProvider[]): Html {
  const { id, row, mayRemove } = identity;
  const provider = providers.find((one) => isOf(identity, one));
  const used = words.used(day(new Date(row.used / 1000).toISOString()));
  return html`<li><span>${row.label}<span class="meta">${provider?.label ?? row.issuer} · ${used}${
    mayRemove ? nothing : html` · ${words.last}`
  }</span></span>${mayRemove ? rowButton("remove-identity", id, words.remove, words.removeOne(row.label)) : nothing}</li>`;
}

function sessionRow({ id, browser, system, address, last_used_at, is_current }: SessionLine): Html {
  const name = words.session(browser, system);
  return html`<li><span>${name}<span class="meta">${is_current ? html`${words.here} · ` : nothing}${address} · ${words.used(
    day(last_used_at),
  )}</span></span>${rowButton("end-session", id, words.end, words.endOne(name))}</li>`;
}

function stepForm(step: string, fields: Field[], action: string, problem: HomeProblem | undefined): Html {
  const own = problem?.step === step ? problem : undefined;
  return html`${alertOf(own, fields)}${formOf({ fields, action, problem: own, hidden: { step } })}`;
}

/** A form that asks for the password, where there is one, and for a code once there is a second factor. */
function consentForm(step: string, home: AccountHome, action: string, problem?: HomeProblem): Html {
  const { hasPassword, factor, identities, providers } = home;
  const again = providers.filter((one) => identities.some((identity) => isOf(identity, one)));
  const mustSignIn = !hasPassword && problem?.step === step && problem.field === "password";
  const password: Field = {
    id: `${step}-password`,
    name: "password",
    label: words.consent,
    type: "password",
    autocomplete: "current-password",
  };
  const code: Field = { id: `${step}-code`, name: "code", label: words.codeNow, autocomplete: "one-time-code" };
  return html`${hasPassword ? nothing : html`<p class="meta">${words.noPassword}</p>`}${stepForm(
    step,
    [...(hasPassword ? [password] : []), ...(factor.isOn ? [code] : [])],
    action,
    problem,
  )}${mustSignIn ? providerLinks(again, { next: "/account" }, words.signInAgain) : nothing}`;
}

/** A form that is seldom wanted, open where it was refused. */
const folded = (step: string, home: AccountHome, action: string, problem?: HomeProblem): Html =>
  html`<details${problem?.step === step ? html` open` : nothing}><summary>${action}</summary>${consentForm(step, home, action, problem)}</details>`;

async function factorPart(home: AccountHome, problem?: HomeProblem): Promise<Html> {
  const { factor, waiting } = home;
  const demand = factor.isDemanded ? html`<p class="notice">${words.demanded}</p>` : nothing;
  if (factor.isOn) {
    const both = [
      folded("renew-codes", home, words.renew, problem),
      folded("remove-factor", home, words.removeFactor, problem),
    ];
    // The codes are on the answer to the first press of a button that was pressed twice.
    const unseen = problem?.step === "confirm-factor" ? html`<p class="notice">${words.unseen}</p>` : nothing;
    return part(words.factorTitle, unseen, html`<p>${words.on(factor.recoveryCodes)}</p>`, ...both);
  }
  if (!waiting) {
    return part(
      words.factorTitle,
      demand,
      html`<p>${words.off}</p>`,
      consentForm("begin-factor", home, words.begin, problem),
    );
  }
  const drawing = await drawQr(waiting.uri, { type: "svg", margin: 2, errorCorrectionLevel: "M" });
  const code: Field = { name: "code", label: words.code, autocomplete: "one-time-code" };
  return part(
    words.factorTitle,
    demand,
    html`<p>${words.scan}</p><div class="qr" role="img" aria-label="${words.qr}">${{ html: drawing }}</div>`,
    html`<p>${words.key}: <code>${waiting.secret}</code></p>`,
    stepForm("confirm-factor", [code], words.confirm, problem),
  );
}

/** The user's own account: ways to sign in, sessions, second factor (web 9). Works without script. */
export async function accountHomePage(home: AccountHome, problem?: HomeProblem): Promise<Page> {
  const { name, email, identities, providers, sessions } = home;
  const page = plainPage(
    accountWords.kind,
    words.title,
    html`<p>${name} · ${email}</p>`,
    alertOf(problem?.step === "" ? problem : undefined, []),
    part(
      words.waysTitle,
      identities.length === 0
        ? html`<p>${words.none}</p>`
        : html`<ul class="rows own">${identities.map((one) => identityRow(one, providers))}</ul>`,
      providerLinks(providers, { next: "/account" }, words.link),
    ),
    await factorPart(home, problem),
    part(words.sessionsTitle, html`<ul class="rows own">${sessions.map(sessionRow)}</ul>`),
  );
  return { ...page, isShownAgain: true };
}

export const recoveryCodesPage = (codes: readonly string[]): Page =>
  plainPage(
    accountWords.kind,
    words.codesTitle,
    html`<p>${words.codesText}</p>`,
    html`<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`,
    html`<p><a class="button primary" href="/account">${words.done}</a></p>`,
  );
