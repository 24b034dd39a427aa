import type { MarkdownNode } from "../../shared/previews/markdown.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";

const empty = new Set(["br", "hr"]);

export interface MarkdownOptions {
  /** The page of a file beside this one; undefined if there is none. */
  addressOf(path: string): string | undefined;
  /** Levels by which headings stand higher than below a section of a page. */
  raisedBy?: number;
}

/** The known elements of a Markdown text as HTML. */
export function markdownHtml(words: Words, nodes: readonly MarkdownNode[], options: MarkdownOptions): Html {
  const { addressOf, raisedBy = 0 } = options;
  return html`${nodes.map((node) => {
    if (typeof node === "string") return html`${node}`;
    const { tag: written, href, path, alt = "", isDone, start, children } = node;
    const tag = written.replace(/^h(\d)$/, (_, level) => `h${Number(level) - raisedBy}`);
    if (empty.has(tag)) return { html: `<${tag}>` };
    if (tag === "input")
      return html`<input type="checkbox" disabled aria-label="${isDone ? words.task.done : words.task.open}"${isDone ? { html: " checked" } : nothing}>`;
    const address = href ?? (path === undefined ? undefined : addressOf(path));
    // A picture is a link to its page: its size is not known, and the text must not move while it loads.
    if (tag === "img")
      return address === undefined ? html`${alt}` : html`<a href="${address}">${alt || (path ?? "")}</a>`;
    const inner = markdownHtml(words, children, options);
    if (tag === "a") return address === undefined ? inner : html`<a href="${address}">${inner}</a>`;
    const attributes = tag === "ol" && start !== undefined ? html` start="${start}"` : nothing;
    return html`${{ html: `<${tag}` }}${attributes}>${inner}${{ html: `</${tag}>` }}`;
  })}`;
}
