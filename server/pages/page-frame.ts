import type { Language } from "../../shared/kernel/languages.schema.ts";
import { type Html, html, nothing } from "./html.ts";
import { fontFaces, type Sources } from "./page-style.ts";
import { languageNames, words } from "./words.ts";

export interface Page extends Sources {
  title: string;
  /** What search engines show below the title. */
  description?: string;
  /** Elements of the head: meta tags, links, JSON-LD. */
  head?: readonly Html[];
  body: Html;
  /** Search engines may list the page. */
  isIndexed?: boolean;
  /** The text in the search field. */
  query?: string;
  /** A page of a form's route that its address shows again: the other languages are there, not at the first page. */
  isShownAgain?: boolean;
  /** Where signing in from a page with a form leads to; the first page if absent. */
  next?: string;
  /** The page has a search field of its own, and the bar has none. */
  hasOwnSearch?: boolean;
}

export interface Site {
  /** The name of the repository. */
  name: string;
  /** The address of its first page. */
  home: string;
  /** The rules of the style sheet that a document uses. */
  styleOf(document: string): string;
  /** Path of the script of the build, if there is one. */
  script: string | undefined;
  /** Path of the font of the build, if there is one. */
  font: string | undefined;
  /** The path and query of the page. */
  path: string;
  languages: readonly Language[];
}

/** The search field. @param home address of the first page. */
export const searchForm = (home: string, query: string): Html =>
  html`<form class="ask" role="search" action="${home}search"><input type="search" name="q" value="${query}" aria-label="${words.search.field}" placeholder="${words.search.field}" maxlength="8192"><button type="submit">${words.search.button}</button></form>`;

/** Who looks at a page: signed in in this browser, or a stranger, who may come back to `path` after signing in. */
export type Viewer = "signed-in" | { path: string };

const accountLinks = (viewer: Viewer): Html =>
  viewer === "signed-in"
    ? html`<form class="account" method="post" action="/sign-out"><a href="/me/uploads">${words.own.library}</a><button type="submit">${words.signOut}</button></form>`
    : html`<span class="account"><a href="/sign-in${
        viewer.path === "/" ? "" : `?next=${encodeURIComponent(viewer.path)}`
      }" rel="nofollow">${words.signIn}</a></span>`;

const footerLinks = (home: string): Html[] =>
  Object.entries(words.site).map(([name, label]) => html`<a href="${home}${name}">${label}</a>`);

/** The same page in the other languages. */
const languageLinks = ({ path, languages }: Site): Html[] =>
  languages
    .filter((language) => language !== words.language)
    .map((language) => {
      const address = new URL(path, "http://x");
      address.searchParams.set("lang", language);
      return html`<a lang="${language}" hreflang="${language}" rel="alternate nofollow" href="${address.pathname}${address.search}">${languageNames[language]}</a>`;
    });

/** Addresses of this site as paths, which are shorter. */
const asPaths = ({ html: document }: Html, home: string): string =>
  document.replaceAll(/ (href|action|src)="([^"]*)"/g, (whole, name: string, address: string) =>
    address.startsWith(home) ? ` ${name}="${new URL(home).pathname}${address.slice(home.length)}"` : whole,
  );

/** The complete HTML document, and its style sheet. */
export function writePage(page: Page, site: Site, viewer: Viewer): { text: string; style: string } {
  const { title, description, head = [], body, isIndexed = false, query = "", hasOwnSearch = false } = page;
  const { name, home, script, font } = site;
  const start = html`<html lang="${words.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>${isIndexed ? nothing : html`<meta name="robots" content="noindex">`}${
    description ? html`<meta name="description" content="${description}">` : nothing
  }
<link rel="icon" type="image/svg+xml" href="/icon.svg">
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="${home}opensearch.xml">
<link rel="alternate" type="application/atom+xml" title="${words.newest}" href="${home}search.atom">
<link rel="unapi-server" type="application/xml" title="unAPI" href="${home}unapi">${
    hasOwnSearch ? html`<link rel="manifest" href="${home}site.webmanifest">` : nothing
  }${head}${script === undefined ? nothing : html`<script type="module" src="${script}"></script>`}`;
  const rest = html`<body><a class="skip" href="#content">${words.skip}</a>
<header class="bar"><div><a href="${home}"><img src="${home}icon.svg" alt="" width="24" height="24">${name}</a>${
    hasOwnSearch ? nothing : searchForm(home, query)
  }${accountLinks(viewer)}</div></header>
<main id="content">${body}</main>
<footer><div><span>${name}</span>${footerLinks(home)}<a href="${home}api/docs">${words.api}</a>${languageLinks(site)}</div></footer></body></html>`;
  const shown = asPaths(rest, home);
  const style = `${fontFaces(font)}${site.styleOf(shown)}`;
  return { text: `<!doctype html>\n${start.html}<style>${style}</style></head>\n${shown}\n`, style };
}

/** A page with a few words: what it is about above the title. */
export const plainPage = (kind: string, title: string, ...body: readonly Html[]): Page => ({
  title,
  body: html`<div class="narrow"><p class="meta">${kind}</p><h1>${title}</h1>${body}</div>`,
});
