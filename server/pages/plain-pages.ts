import { textIn } from "../../shared/representations/presented-record.ts";
import { edtfInWords } from "../../shared/representations/ui.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { html, nothing } from "./html.ts";
import { type Page, plainPage } from "./page-frame.ts";
import { words } from "./words.ts";

export interface ShownTombstone {
  citation_text?: string;
  note?: string;
  removal_date?: string;
  removal_reason?: { id: string; title?: Record<string, string> };
}

const openInApp = (address: string) => html`<p><a class="button" href="${address}">${words.openInApp}</a></p>`;

/** The reason in the language of the page. */
const reasonOf = ({ id, title }: NonNullable<ShownTombstone["removal_reason"]>): string =>
  textIn(title ?? findShippedEntry("removalreasons", id)?.title, words.language) ?? id;

/** An administrator may write a note of several lines. */
const linesOf = (text = ""): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** The page of a deleted record: what its tombstone says (records 4.7). @param restoreLink for who may restore it. */
export function deletedPage(tombstone: ShownTombstone, restoreLink: string | undefined): Page {
  const { citation_text, note, removal_date, removal_reason } = tombstone;
  const { kind, title, reason, date } = words.deleted;
  return plainPage(
    kind,
    title,
    citation_text ? html`<p>${citation_text}</p>` : nothing,
    html`${linesOf(note).map((line) => html`<p>${line}</p>`)}`,
    html`<dl class="facts">${
      removal_reason ? html`<dt>${reason}</dt><dd>${reasonOf(removal_reason)}</dd>` : nothing
    }${removal_date ? html`<dt>${date}</dt><dd>${edtfInWords(removal_date.slice(0, 10), "long", words.language)}</dd>` : nothing}</dl>`,
    html`<p>${words.deleted.ask} <a href="/contact">${words.contactUs}</a></p>`,
    restoreLink ? html`<p><a class="button" href="${restoreLink}">${words.own.restore}</a></p>` : nothing,
  );
}

/** By which the operator finds the call in the log. */
const requestNumber = (requestId: string) => html`<p class="meta">${words.failed.number}: ${requestId}</p>`;

/** Where a refused visitor may go on. */
export interface WaysOn {
  /** The object in the app. */
  app?: string | undefined;
  signIn?: string | undefined;
  /** The page of the record whose files are refused. */
  record?: string | undefined;
  isSignedIn?: boolean;
}

/** Nothing of the object, not even its title. */
export const refusedPage = (requestId: string, { app, signIn, record, isSignedIn = false }: WaysOn = {}): Page =>
  plainPage(
    words.refused.kind,
    words.refused.title,
    html`<p>${isSignedIn ? words.refused.signedIn : words.refused.text}</p>`,
    html`<div class="actions">${
      signIn ? html`<a class="button primary" rel="nofollow" href="${signIn}">${words.signIn}</a>` : nothing
    }${record ? html`<a class="button" href="${record}">${words.refused.toRecord}</a>` : nothing}${
      app ? html`<a class="button" href="${app}">${words.openInApp}</a>` : nothing
    }</div>`,
    requestNumber(requestId),
  );

export const unknownPage = (requestId: string): Page =>
  plainPage(
    words.unknown.kind,
    words.unknown.title,
    html`<p>${words.unknown.text}</p>`,
    html`<p><a class="button" href="/search">${words.unknown.search}</a></p>`,
    requestNumber(requestId),
  );

/** What happened, and what to do. */
function failureText(status: number, retrySeconds: number): string {
  const { refused, check, limited, text, retry, later } = words.failed;
  // The same request would fail each time.
  if (status < 500 && status !== 429) return `${refused} ${check}`;
  return `${status === 429 ? limited : text} ${retrySeconds > 0 ? retry(retrySeconds) : later}`;
}

/** A form that another site, or a program, sent. */
export const otherPagePage = (requestId: string): Page =>
  plainPage("403", words.failed.title, html`<p>${words.failed.otherPage}</p>`, requestNumber(requestId));

/** A failure of the server, a limit, or a request that it cannot answer. */
export const failedPage = (status: number, requestId: string, retrySeconds: number): Page =>
  plainPage(
    String(status),
    words.failed.title,
    html`<p>${failureText(status, retrySeconds)}</p>`,
    requestNumber(requestId),
  );

export const requestPage = (request: { id: string; title: string; status: string; number: string }): Page =>
  plainPage(
    words.request.kind(request.number),
    request.title,
    html`<dl class="facts"><dt>${words.request.status}</dt><dd>${request.status}</dd></dl>`,
    openInApp(`carrel://request/${encodeURIComponent(request.id)}`),
  );
