import type { MarkdownNode } from "../../shared/previews/markdown.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";

const empty = new Set(["br", "hr"]);

/**
 * The known elements of a Markdown text as HTML.
 * @param addressOf the page of a file beside this one; undefined if there is none.
 */
export function markdownHtml(
  words: Words,
  nodes: readonly MarkdownNode[],
  addressOf: (path: string) => string | undefined,
): Html {
  return html`${nodes.map((node) => {
    if (typeof node === "string") return html`${node}`;
    const { tag, href, path, alt = "", isDone, start, children } = node;
    if (empty.has(tag)) return { html: `<${tag}>` };
    if (tag === "input")
      return html`<input type="checkbox" disabled aria-label="${isDone ? words.task.done : words.task.open}"${isDone ? { html: " checked" } : nothing}>`;
    const address = href ?? (path === undefined ? undefined : addressOf(path));
    // A picture is a link to its page: its size is not known, and the text must not move while it loads.
    if (tag === "img")
      return address === undefined ? html`${alt}` : html`<a href="${address}">${alt || (path ?? "")}</a>`;
    const inner = markdownHtml(words, children, addressOf);
    if (tag === "a") return address === undefined ? inner : html`<a href="${address}">${inner}</a>`;
    const attributes = tag === "ol" && start !== undefined ? html` start="${start}"` : nothing;
    return html`${{ html: `<${tag}` }}${attributes}>${inner}${{ html: `</${tag}>` }}`;
  })}`;
}
