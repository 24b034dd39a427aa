import { escapeHtml } from "../../format/html-words.ts";
import type { SaidChange } from "../compare/comparison.tsx";

const mostChars = 400;
const cut = (text: string) => (text.length > mostChars ? `${text.slice(0, mostChars)} …` : text);

/**
 * A change as a quotation to be answered, with a link to where all changes are.
 * @param kind what became of it, in words.
 */
export function quoteOfChange({ field, before, after }: SaidChange, kind: string, address: string): string {
  const sides = [before, after].flatMap((text) => (text ? [`“${escapeHtml(cut(text))}”`] : [])).join(" → ");
  const head = `<a href="${address}">${escapeHtml(field)}</a> (${escapeHtml(kind)})`;
  return `<blockquote><p>${head}${sides && `: ${sides}`}</p></blockquote><p></p>`;
}
