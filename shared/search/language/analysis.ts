import { normalForm } from "../../kernel/normal-form.ts";

/** Text to tokens (search 4), the same way for stored text and query text. */

const LETTER_MAP: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};
const MAPPED = /[ßæœøđðþłı]/g;
const ASCII = /^[\0-\x7f]*$/;
/** Texts are stored without these characters (records 8, type S), so a query ignores them too. */
const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff]/g;

const SINGLE = String.raw`[\p{Script=Han}\p{Script=Hiragana}]`;
const LETTER = String.raw`[\p{L}--${SINGLE}]`;
const SIGN = String.raw`[[\p{L}\p{N}]--${SINGLE}]`;
/** Longer runs are split: megabytes without a blank would be too deep for the matcher. */
const LONGEST_RUN = 10_000;
const run = (character: string): RegExp => {
  const inner = `(?<=${LETTER}\\p{M}*)['’.](?=${LETTER})|(?<=\\p{N})[.,](?=\\p{N})`;
  return new RegExp(`${SINGLE}|${character}(?:_*${character}|${inner}){0,${LONGEST_RUN}}`, "gv");
};
const TOKEN = run(SIGN);
const ORIGINAL_TOKEN = run(`(?:${SIGN}\\p{M}{0,100})`);
const INNER_PUNCTUATION = /[\p{L}\p{N}][^\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u;

/** NFKD, combining marks removed, lower case, then the letters that have no decomposition. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return normalForm(text, "NFKD")
    .replace(ZERO_WIDTH, "")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(MAPPED, (letter) => LETTER_MAP[letter] ?? letter);
}

/** As `fold`, accents kept: the analysis of `.original` sub-fields. */
export const foldOriginal = (text: string): string => normalForm(text, "NFKC").replace(ZERO_WIDTH, "").toLowerCase();

/** The tokens of a text in order. */
export const tokensOf = (text: string): string[] => fold(text).match(TOKEN) ?? [];

/** A token and its place in the original text. */
export interface PlacedToken {
  token: string;
  start: number;
  end: number;
}

/** The tokens of a text with their places, to mark the matches of a search. */
export function placedTokens(text: string): PlacedToken[] {
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    for (let left = fold(character).length; left > 0; left -= 1) places.push(at);
    at += character.length;
  }
  places.push(at);
  const folded = fold(text);
  return [...folded.matchAll(TOKEN)].map(({ 0: token, index }) => {
    const end = index + token.length;
    return { token, start: places[index] ?? 0, end: endOf(places, end, text) };
  });
}

/** The end of the last character of a token, with its combining marks. */
function endOf(places: number[], index: number, text: string): number {
  const last = places[index - 1] ?? 0;
  const rest = text.slice(last);
  return last + (/^.\p{M}*/su.exec(rest)?.[0].length ?? 0);
}

/** The tokens of a text for an `.original` sub-field. */
export const originalTokensOf = (text: string): string[] => foldOriginal(text).match(ORIGINAL_TOKEN) ?? [];

/** The joined forms that a field marked TJ holds beside its tokens: `open-science` gives `openscience`. */
export function joinedFormsOf(text: string): string[] {
  const forms: string[] = [];
  for (const word of fold(text).split(/\s+/)) {
    if (INNER_PUNCTUATION.test(word)) forms.push(word.replace(/[^\p{L}\p{N}]+/gu, ""));
  }
  return forms;
}

const LATIN_ENTITIES =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml".split(
    " ",
  );
const ENTITIES = new Map<string, string>([
  ...LATIN_ENTITIES.map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", hellip: "…", ndash: "–", mdash: "—" }),
  ...Object.entries({ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", OElig: "Œ", oelig: "œ", Scaron: "Š" }),
  ...Object.entries({ scaron: "š", euro: "€", trade: "™", minus: "−", ensp: " ", emsp: " ", thinsp: " " }),
]);
const AMPERSAND = 38;
const INLINE = /^<\/?(?:a|abbr|b|big|cite|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u)[\s/>]/i;

/** Entities that one text may have very often: a pattern replaces them ten times faster than a function. */
const FREQUENT: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&quot;/g, '"'],
];
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(?!amp;)(\w{2,8}));/g;

/** Decodes each entity once: `&amp;`, written for every ampersand until the end, comes last. */
function decoded(html: string): string {
  let text = html;
  for (const [entity, character] of FREQUENT) text = text.replace(entity, character);
  return text
    .replace(ENTITY, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return ENTITIES.get(name) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      if (code === AMPERSAND) return "&amp;";
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .replace(/&amp;/g, "&");
}

const TAG = "<\\/?[a-zA-Z][^<>]*>";

/** Drops tags and comments. Ignores comments after one without an end, so that time grows linearly with the length. */
function withoutTags(text: string): string {
  let mark = new RegExp(`<!--|${TAG}`, "g");
  let [kept, from] = ["", 0];
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [tag] = found;
    const isComment = tag === "<!--";
    const end = isComment ? text.indexOf("-->", mark.lastIndex) : mark.lastIndex;
    const next = end < 0 ? mark.lastIndex : end + (isComment ? "-->".length : 0);
    if (end < 0) mark = new RegExp(TAG, "g");
    else {
      kept += text.slice(from, found.index) + (!isComment && INLINE.test(tag) ? "" : " ");
      from = next;
    }
    mark.lastIndex = next;
  }
  return kept + text.slice(from);
}

/** The text of an HTML field: entities decoded first, then tags dropped; block tags separate words. */
export function plainTextOf(html: string): string {
  const text = html.includes("&") ? decoded(html) : html;
  return text.includes("<") ? withoutTags(text) : text;
}
