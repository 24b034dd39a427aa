import { isObject, type Json } from "../../../shared/kernel/json.ts";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", nbsp: " " };

/** The text of markup as their server rewrites texts: straight quotes, one form of accents, single spaces. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u200b-\u200d\ufeff]/g, "")
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
