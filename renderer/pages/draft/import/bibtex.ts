/** A BibTeX entry: type and fields, names in lower case, values as plain text. */
export interface BibtexEntry {
  type: string;
  fields: Record<string, string>;
  /** Whether the end of the entry is missing: an open brace or quote may have swallowed a part of it. */
  isCut: boolean;
}

const combining: Record<string, string> = {
  "'": "\u0301",
  "`": "\u0300",
  "^": "\u0302",
  '"': "\u0308",
  "~": "\u0303",
  "=": "\u0304",
  ".": "\u0307",
  c: "\u0327",
  v: "\u030c",
  u: "\u0306",
  H: "\u030b",
  k: "\u0328",
  r: "\u030a",
};
const letters: Record<string, string> = {
  ss: "ß",
  o: "ø",
  O: "Ø",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  aa: "å",
  AA: "Å",
  l: "ł",
  L: "Ł",
  i: "i",
  j: "j",
  textbackslash: "\\",
  textasciitilde: "~",
  textasciicircum: "^",
  // Placeholders until the grouping braces are removed.
  textbraceleft: "\u0001",
  textbraceright: "\u0002",
};

/** Converts LaTeX letters to Unicode and drops braces. */
export function plainLatex(text: string): string {
  return text
    .replace(
      /\\(?:(['`^"~=.])\s*|([cvuHkr])(?:\s+|(?=\{)))(?:\{\s*\\?([a-zA-Z])\s*\}|\\?([a-zA-Z]))/g,
      (_, sign: string, word: string, braced: string, bare: string) =>
        ((braced ?? bare) + (combining[sign ?? word] ?? "")).normalize("NFC"),
    )
    .replace(
      /\\(textbackslash|textasciitilde|textasciicircum|textbraceleft|textbraceright|ss|ae|AE|oe|OE|aa|AA|[oOlLij])(?![a-zA-Z])\s*(?:\{\})?/g,
      (_, name: string) => letters[name] ?? "",
    )
    .replace(/\\([&%$#_{}])/g, (_, sign: string) => (sign === "{" ? "\u0001" : sign === "}" ? "\u0002" : sign))
    .replace(/\\[a-zA-Z]+\s*/g, "")
    .replace(/[{}]/g, "")
    .replaceAll("\u0001", "{")
    .replaceAll("\u0002", "}")
    .replace(/~/g, " ")
    .replace(/---?/g, "–")
    .replace(/\s+/g, " ")
    .trim();
}

/** Index of the matching brace; the end of the text if there is none. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

function readValue(text: string, from: number): { value: string; end: number } {
  if (text[from] === "{") {
    const end = closing(text, from);
    return { value: text.slice(from + 1, end), end: end + 1 };
  }
  if (text[from] === '"') {
    let end = from + 1;
    while (end < text.length && text[end] !== '"') end = text[end] === "{" ? closing(text, end) + 1 : end + 1;
    return { value: text.slice(from + 1, end), end: end + 1 };
  }
  const bare = /^[^,\s})#]*/.exec(text.slice(from))?.[0] ?? "";
  return { value: bare, end: from + bare.length };
}

/** Abbreviations that the text defines, such as `@string{jgr = "J. Geophys. Res."}`. */
function abbreviationsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const chunk of chunksOf(text)) {
    const [head, name = ""] = /@string\s*[{(]\s*([^\s={}"]{1,200})\s*=\s*(?=["{])/i.exec(chunk) ?? [];
    if (head !== undefined) found.set(name.toLowerCase(), readValue(chunk, chunk.indexOf(head) + head.length).value);
  }
  return found;
}

/** The text cut before each line that begins an entry: a brace that is never closed spoils its own entry alone. */
const chunksOf = (text: string): string[] => text.split(/^(?=[ \t]*@[a-zA-Z]{1,50}[ \t]*[{(])/m);

/** What follows the last field of a whole entry. */
const isClosed = /^(?:[\s,]|%[^\n]*\n)*[})]/;

/** All BibTeX entries that describe works. */
export function parseBibtex(text: string): BibtexEntry[] {
  const abbreviations = /@string/i.test(text) ? abbreviationsIn(text) : new Map<string, string>();
  return chunksOf(text).flatMap((chunk) => {
    const entries: BibtexEntry[] = [];
    // Bounded: a search to the end of the text from every "@" would take time with the square of its length.
    // The comma after the key may be missing.
    const head =
      /@(?!comment|string|preamble)([a-zA-Z]+)\s*[{(](?:\s{0,99}[^\s,{}=]{0,500}\s{1,99}(?=[a-zA-Z][\w-]{0,99}\s{0,99}=)|[^,{}]{0,500},)/gi;
    for (let found = head.exec(chunk); found; found = head.exec(chunk)) {
      const { fields, end } = readFields(chunk, head.lastIndex, abbreviations);
      entries.push({
        type: (found[1] ?? "").toLowerCase(),
        fields,
        isCut: !isClosed.test(chunk.slice(end, end + 500)),
      });
      head.lastIndex = end;
    }
    return entries;
  });
}

function readFields(text: string, from: number, abbreviations: ReadonlyMap<string, string>) {
  const written = (value: string) => abbreviations.get(value.toLowerCase()) ?? value;
  let last = from;
  const fields: Record<string, string> = {};
  const name = /(?:[\s,]|%[^\n]*\n)*([a-zA-Z][\w-]*)\s*=\s*/y;
  const more = /\s*#\s*/y;
  name.lastIndex = from;
  for (let found = name.exec(text); found; found = name.exec(text)) {
    let { value, end } = readValue(text, name.lastIndex);
    value = written(value);
    more.lastIndex = end;
    while (more.exec(text)) {
      const next = readValue(text, more.lastIndex);
      value += written(next.value);
      end = next.end;
      more.lastIndex = end;
    }
    fields[(found[1] ?? "").toLowerCase()] = value;
    name.lastIndex = end;
    last = end;
  }
  return { fields, end: last };
}

/** The names of an `author` field, split at each "and" outside braces. */
export function splitNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const part of text.replace(/\s+/g, " ").split(" and ")) {
    if (depth > 0) names.push(`${names.pop()} and ${part}`);
    else names.push(part);
    for (const sign of part) depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
  }
  return names.map((name) => name.trim()).filter(Boolean);
}
