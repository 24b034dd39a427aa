import { markupCleaner } from "../kernel/markup-cleaner.ts";

const { clean } = markupCleaner({
  tags: new Set([
    ..."a abbr acronym b blockquote br code div em h1 h2 h3 h4 h5 i img li ol p pre span strike strong sub sup".split(
      " ",
    ),
    ..."table tbody td th tr u ul".split(" "),
  ]),
  attributes: {
    a: ["href", "title", "name", "target", "rel"],
    abbr: ["title"],
    acronym: ["title"],
    img: ["src", "alt", "width", "height"],
  },
  schemes: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  // The text inside a removed tag is kept, that of scripts and styles too.
  withoutText: [],
});

/** The form in which a comment is stored and returned (requests 7): allow-listed markup, text escaped, trimmed. */
export const cleanComment = (html: string): string => clean(html).trim();
