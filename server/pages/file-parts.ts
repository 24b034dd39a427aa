import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { type Html, html, nothing } from "./html.ts";
import { languageOf } from "./record-parts.ts";
import { type Words, words } from "./words.ts";

export interface Crumb {
  label: string;
  /** The attribute of a label in another language than the page. */
  language?: Html;
  address: string;
}

/** The way back to a record. */
export const crumbOf = (record: PresentedRecord): Crumb => ({
  label: record.metadata.title || words.untitled,
  ...(record.metadata.title ? { language: languageOf(record) } : {}),
  address: record.links?.self_html ?? "",
});

/** The way from the record to what is shown. */
export const crumbs = (words: Words, all: readonly Crumb[], label: string = words.way): Html =>
  html`<nav class="crumbs" aria-label="${label}"><ol>${all.map(
    ({ label, language = nothing, address }) => html`<li><a href="${address}"${language}>${label}</a></li>`,
  )}</ol></nav>`;

/**
 * A field that leaves only the names with a text.
 * @param filters id of the list, if it is complete: then the script of the pages filters it at once.
 */
export const filterForm = (
  words: Words,
  { action, text, hidden, filters }: { action: string; text: string; hidden: Record<string, string>; filters?: string },
): Html =>
  html`<form class="ask filter" action="${action}"${filters === undefined ? nothing : html` data-filters="${filters}"`}>${Object.entries(
    hidden,
  ).map(([name, value]) =>
    value === "" ? nothing : html`<input type="hidden" name="${name}" value="${value}">`,
  )}<input type="search" name="q" value="${text}" aria-label="${words.filterFiles}" placeholder="${words.filterFiles}" maxlength="500"><button type="submit">${words.filter}</button></form>`;

/** Copies the text of an element; the script of the pages shows it. */
export const copyButton = (id: string): Html =>
  html`<button type="button" class="copy" data-copy="${id}" data-done="${words.copied}" hidden>${words.copy}</button>`;
