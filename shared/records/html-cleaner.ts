import { markupCleaner } from "../kernel/markup-cleaner.ts";

/** Keeps the tags, attributes and address schemes of the allow-list (records 8, type H); scripts and styles vanish. */
export const cleanHtml = markupCleaner({
  tags: new Set([
    ..."a abbr acronym b blockquote br caption code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong".split(" "),
    ..."sub sup table tbody td th thead tr u ul".split(" "),
  ]),
  attributes: { a: ["href", "title", "name", "target", "rel"] },
  schemes: { href: ["http", "https", "mailto"] },
  withoutText: ["script", "style"],
});
