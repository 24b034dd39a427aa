/** Tags that bleach leaves in HTML fields; of others only the text stays (F6). */
const allowedTags = new Set(
  "a abbr acronym b blockquote br code col colgroup div table tbody tfoot thead td th tr em h1 h2 h3 h4 h5 i li ol p pre s span strike strong sub sup u ul".split(
    " ",
  ),
);
const allowedAttributes: Record<string, readonly string[]> = {
  a: ["href", "title", "name", "target", "rel", "rev", "alt"],
  div: ["dir", "lang"],
  span: ["dir", "lang"],
  p: ["dir", "lang"],
  abbr: ["title", "lang", "dir"],
  acronym: ["title", "lang", "dir"],
};
const ligatures = /[\u0132\u0133\u0149\u01c4-\u01cc\u01f1-\u01f3\ufb00-\ufb06]/g;
const wideForms = /[\u3000\uff01-\uffee]/g;

/** `strip()`, the parts of ftfy that texts meet, no control characters, no zero-width space (F6). */
export function cleanText(text: string): string {
  return (
    text
      .trim()
      .replace(/[\u02bc‘’‚‛]/g, "'")
      .replace(/[“”„‟]/g, '"')
      .replace(ligatures, (letter) => letter.normalize("NFKC"))
      .replace(wideForms, (letter) => letter.normalize("NFKC"))
      .replace(/\r\n|\r|\u2028|\u2029/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\u200b\ufeff\ufff9-\ufffc]/g, "")
      .normalize("NFC")
  );
}

function cleanTag(whole: string, slash: string, name: string, rest: string): string {
  const tag = name.toLowerCase();
  if (!allowedTags.has(tag)) return "";
  if (slash) return `</${tag}>`;
  const allowed = allowedAttributes[tag] ?? [];
  const kept = [...rest.matchAll(/([a-z-]+)\s*=\s*("([^"]*)"|'([^']*)')/gi)]
    .filter(([, key = "", , a = "", b = ""]) => allowed.includes(key.toLowerCase()) && !/^\s*javascript:/i.test(a + b))
    .map(([, key = "", , a, b]) => ` ${key.toLowerCase()}="${a ?? b}"`);
  return whole === "" ? "" : `<${tag}${kept.join("")}>`;
}

/** What bleach makes of a value of an HTML field: the text of a removed tag stays (F6). */
export const cleanHtml = (text: string): string =>
  cleanText(text)
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi, cleanTag)
    .replace(/&(?!(?:[a-z]+|#\d+|#x[0-9a-f]+);)/gi, "&amp;")
    .replace(/<(?!\/?[a-z])/gi, "&lt;")
    .trim();
