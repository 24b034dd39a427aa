import { plainTextOf } from "../../shared/search/analysis.ts";

const item = /<li\b[^<>]*>\s*(?:<p\b[^<>]*>)?/gi;
const block = /<\/?(?:address|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|thead|tr|ul)\b[^<>]*>/gi;

const linesOf = (html: string): string[] =>
  html
    .replace(item, "\n• ")
    .replace(block, "\n")
    .split("\n")
    .map((line) => plainTextOf(line).replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && line !== "•");

/** The words of HTML: a line for each paragraph, one with a bullet for each item of a list. */
export const htmlLines = (html: string): string => linesOf(html).join("\n");

/** The same in one line, for excerpts. */
export const htmlWords = (html: string): string => linesOf(html).join(" ");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Takes back `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
