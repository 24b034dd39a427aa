import { escapeHtml } from "../../format/html-words.ts";
import type { QuotedChange } from "../compare/comparison.tsx";

const maxChars = 400;
const cut = (text: string) => (text.length > maxChars ? `${text.slice(0, maxChars)} …` : text);

/** Quotes a change, with a link to all changes. @param kind the kind of change as text. */
export function quoteOfChange({ field, before, after }: QuotedChange, kind: string, address: string): string {
  const sides = [before, after].flatMap((text) => (text ? [`“${escapeHtml(cut(text))}”`] : [])).join(" → ");
  const head = `<a href="${address}">${escapeHtml(field)}</a> (${escapeHtml(kind)})`;
  return `<blockquote><p>${head}${sides && `: ${sides}`}</p></blockquote><p></p>`;
}
