import sanitizeHtml from "sanitize-html";

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ..."a abbr acronym b blockquote br code div em h1 h2 h3 h4 h5 i img li ol p pre span strike strong sub sup".split(
      " ",
    ),
    ..."table tbody td th tr u ul".split(" "),
  ],
  allowedAttributes: {
    a: ["href", "title", "name", "target", "rel"],
    abbr: ["title"],
    acronym: ["title"],
    img: ["src", "alt", "width", "height"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["http", "https"] },
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  // The text inside a removed tag is kept, that of scripts and styles too.
  nonTextTags: [],
};

/** Control characters but tab and line ends, and spaces without width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\ufeff]/g;

/** A `<` after which no tag ends any more is text: the cleaner would take the rest of the comment for a tag. */
const withoutOpenEnd = (html: string): string => html.replace(/<(?=[^>]*$)/g, "&lt;");

/** In the cleaner's output `<` stands in tags alone. */
const closedVoid = /<(br|img)((?: [^<>]*)?) \/>/g;

const cleanOnce = (html: string): string =>
  sanitizeHtml(withoutOpenEnd(html.replace(invisible, "")), allowed).replace(invisible, "");

/**
 * The form in which a comment is stored and returned (requests 7): allow-listed tags and attributes, text escaped,
 * trimmed. Cleaning what it gives changes nothing.
 */
export function cleanComment(html: string): string {
  // What a first round uncovers by dropping invisible characters, the second one judges.
  return cleanOnce(cleanOnce(html)).replace(closedVoid, "<$1$2>").trim();
}
