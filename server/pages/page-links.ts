import { type Html, html, nothing } from "./html.ts";
import { words } from "./words.ts";

const around = 2;

/** Shown instead of a page after the last one, with a link to the last one. */
export const beyondLast = (page: number, last: number, addressOf: (page: number) => string): Html =>
  html`<p>${words.search.beyond(page)} <a href="${addressOf(last)}">${words.search.toLast}</a></p>`;

/** Links to the pages of a long list: the first, the last and those around the current one. */
export function pageLinks(page: number, pages: number, addressOf: (page: number) => string): Html {
  if (pages < 2) return nothing;
  const numbers = Array.from({ length: pages }, (_one, at) => at + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= around,
  );
  const links = numbers.map((number, at) => {
    const gap = at > 0 && number - (numbers[at - 1] ?? 0) > 1 ? html`<li aria-hidden="true">…</li>` : nothing;
    const current = number === page ? html` aria-current="page"` : nothing;
    return html`${gap}<li><a href="${addressOf(number)}"${current}>${number}</a></li>`;
  });
  const step = (number: number, rel: string, label: string) =>
    number < 1 || number > pages ? nothing : html`<li><a rel="${rel}" href="${addressOf(number)}">${label}</a></li>`;
  return html`<nav class="pages" aria-label="${words.search.pages}"><ul>${step(page - 1, "prev", words.search.previous)}${links}${step(page + 1, "next", words.search.next)}</ul></nav>`;
}
