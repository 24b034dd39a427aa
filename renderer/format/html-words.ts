import { plainTextOf } from "../../shared/search/language/analysis.ts";

const item = /<li\b[^<>]*>\s*(?:<p\b[^<>]*>)?/gi;
const block = /<\/?(?:address|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|thead|tr|ul)\b[^<>]*>/gi;

const linesOf = (html: string): string[] =>
  html
    .replace(item, "\n• ")
    .replace(block, "\n")
    .split("\n")
    .map((line) => plainTextOf(line).replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && line !== "•");

/** The text of HTML: one line per paragraph, a bullet for each list item. */
export const htmlLines = (html: string): string => linesOf(html).join("\n");

/** The same in one line, for excerpts. */
export const htmlWords = (html: string): string => linesOf(html).join(" ");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Reverses `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
