import sanitizeHtml from "sanitize-html";

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ..."a abbr acronym b blockquote br caption code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong".split(" "),
    ..."sub sup table tbody td th thead tr u ul".split(" "),
  ],
  allowedAttributes: { a: ["href", "title", "name", "target", "rel"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
};

/** Keeps the tags, attributes and address schemes of the allow-list (records 8, type H); scripts and styles vanish. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, allowed);
