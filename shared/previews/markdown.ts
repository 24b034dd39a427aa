import MarkdownIt, { type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";

const tags = new Set(
  "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong sup table tbody td th thead tr ul".split(" "),
);

/** An element that may be rendered. */
export interface MarkdownElement {
  tag: string;
  /** Web or mail address. */
  href?: string;
  /** Another file, relative to this one: what a link opens or an `img` shows. */
  path?: string;
  /** The words of an `img`. */
  alt?: string;
  /** State of a task's `input`. */
  isDone?: boolean;
  /** First number of an ordered list. */
  start?: number;
  children: MarkdownNode[];
}
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownText {
  nodes: MarkdownNode[];
  /** Whether the text is complete. */
  isWhole: boolean;
}

/** More nodes block the browser. */
const maxNodes = 20_000;

// CommonMark with GitHub's tables, strikethrough, bare links and footnotes. HTML stays text.
const reader = new MarkdownIt("default", { html: false, linkify: true }).use(footnotes);
// Without this, `README.md` would become a link to a host in Moldova.
reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const textOf = (token: Token, attribute: string): string => String(token.attrGet(attribute) ?? "");

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

/** The path of an address that names a file beside this one; undefined for any other address. */
function pathOf(address: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|[/\\#?])/i.test(address)) return undefined;
  try {
    return decodeURIComponent(address.replace(/[?#].*$/, "")) || undefined;
  } catch {
    return undefined;
  }
}

const task = /^\[([ xX])\]\s+/;

/** Headings of the file start below those of the page: `#` is level three. */
const shownTag = (tag: string): string => tag.replace(/^h([1-6])$/, (_, level) => `h${Math.min(6, Number(level) + 2)}`);

/** The element for an opening token; undefined: only its content is rendered. */
function tagOf({ type, tag, hidden }: Token): string | undefined {
  if (type === "footnote_block_open") return "ol";
  if (type === "footnote_open") return "li";
  return hidden || !tags.has(tag) ? undefined : shownTag(tag);
}

/** Builds the tree. Nodes beyond the limit are left out. */
class Tree {
  readonly root: MarkdownElement = { tag: "", children: [] };
  isWhole = true;
  #left = maxNodes;
  /** Undefined: an element that is not rendered, though its content is. */
  readonly #open: (MarkdownElement | undefined)[] = [];

  add(node: MarkdownNode): void {
    this.#left -= 1;
    if (this.#left < 0) this.isWhole = false;
    else (this.#open.findLast((element) => element !== undefined) ?? this.root).children.push(node);
  }

  leaf(tag: string, ...children: MarkdownNode[]): void {
    this.add({ tag, children });
  }

  open(tag: string | undefined, attributes: Partial<MarkdownElement> = {}): void {
    const element = tag === undefined ? undefined : { tag, children: [], ...attributes };
    if (element) this.add(element);
    this.#open.push(element);
  }

  close(): void {
    this.#open.pop();
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.nesting === 1) this.#openToken(token);
      else if (token.nesting === -1) this.close();
      else this.#single(token);
    }
  }

  #openToken(token: Token): void {
    const href = textOf(token, "href");
    const start = token.attrGet("start");
    // A line separates the footnotes from the text.
    if (token.type === "footnote_block_open") this.leaf("hr");
    if (token.tag === "a") this.#openLink(href);
    else this.open(tagOf(token), start === null ? {} : { start: Number(start) });
  }

  #openLink(href: string): void {
    const path = pathOf(href);
    if (isSafe(href)) this.open("a", { href });
    else this.open(path === undefined ? undefined : "a", path === undefined ? {} : { path });
  }

  /** A task of a list: `[ ]` or `[x]` before the words of an item. */
  #inline({ children }: Token): void {
    const [first, ...others] = children ?? [];
    const isItem = this.#open.findLast((element) => element !== undefined)?.tag === "li";
    const mark = isItem && first?.type === "text" ? task.exec(first.content) : null;
    if (mark) {
      this.add({ tag: "input", isDone: mark[1] !== " ", children: [] });
      this.add(` ${mark.input.slice(mark[0].length)}`);
    }
    this.read(mark ? others : (children ?? []));
  }

  #single(token: Token): void {
    const { type, content } = token;
    if (type === "inline") this.#inline(token);
    else if (type === "image") this.#image(token);
    else if (type === "fence" || type === "code_block") this.leaf("pre", { tag: "code", children: [content] });
    else if (type === "code_inline") this.leaf("code", content);
    else if (type === "hardbreak") this.leaf("br");
    else if (type === "hr") this.leaf("hr");
    else if (type === "softbreak") this.add("\n");
    else if (type === "footnote_ref") this.leaf("sup", `${Number(token.meta?.id) + 1}`);
    else if (content !== "") this.add(content);
  }

  /** Pictures are files beside this one. Of others the text is shown, as a link if there is an address. */
  #image(token: Token): void {
    const src = textOf(token, "src");
    const path = pathOf(src);
    if (path !== undefined) this.add({ tag: "img", path, alt: token.content, children: [] });
    else this.#foreignImage(src, token);
  }

  #foreignImage(src: string, { children }: Token): void {
    this.open(isSafe(src) ? "a" : undefined, { href: src });
    if (children?.length) this.read(children);
    else this.add(src);
    this.close();
  }
}

/** Parses Markdown (CommonMark, GitHub's tables, tasks and footnotes) into known elements. HTML stays text. */
export function parseMarkdown(text: string): MarkdownText {
  const tree = new Tree();
  tree.read(reader.parse(text, {}));
  return { nodes: tree.root.children, isWhole: tree.isWhole };
}
