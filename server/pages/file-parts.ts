import { type Html, html, nothing } from "./html.ts";
import type { Words } from "./words.ts";

export interface Crumb {
  label: string;
  address: string;
}

/** The way from the record to what is shown. */
export const crumbs = (words: Words, all: readonly Crumb[], label: string = words.way): Html =>
  html`<nav class="crumbs" aria-label="${label}"><ol>${all.map(
    ({ label, address }) => html`<li><a href="${address}">${label}</a></li>`,
  )}</ol></nav>`;

/** A field that leaves only the names with a text. */
export const filterForm = (
  words: Words,
  { action, text, hidden }: { action: string; text: string; hidden: Record<string, string> },
): Html =>
  html`<form class="ask filter" action="${action}">${Object.entries(hidden).map(([name, value]) =>
    value === "" ? nothing : html`<input type="hidden" name="${name}" value="${value}">`,
  )}<input type="search" name="q" value="${text}" aria-label="${words.filterFiles}" placeholder="${words.filterFiles}" maxlength="500"><button type="submit">${words.filter}</button></form>`;
