import { isObject, type Json } from "../../../shared/kernel/json.ts";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", nbsp: " " };

/** Ligatures, two letters in one sign, and wide forms, which their server writes as plain letters. */
const joined = /[\u0132\u0133\u0149\u01c4-\u01cc\u01f1-\u01f3\u3000\ufb00-\ufb06\uff01-\uffee]/g;

/** The text of markup as their server rewrites texts: straight quotes, plain letters, one form of accents, single spaces. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(joined, (sign) => sign.normalize("NFKC"))
    .normalize("NFC")
    .replace(/[\u02bc\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u200b-\u200d\ufeff\ufff9-\ufffc]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Whether two pieces of markup have the same text. */
export const isSameText = (a: string, b: string): boolean => plain(a) === plain(b);

/** Whether two values are the same, but for the ways in which their server rewrites texts. */
export function isSameContent(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a === "string" && typeof b === "string") return isSameText(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameContent(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const [one, other] = [a as Record<string, Json>, b as Record<string, Json>];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSameContent(one[key], other[key]));
}
