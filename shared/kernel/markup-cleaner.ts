import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** What is kept of users' HTML; everything else is removed. */
export interface MarkupRules {
  tags: ReadonlySet<string>;
  /** Permitted attributes by tag. */
  attributes: Readonly<Record<string, readonly string[]>>;
  /** Permitted URL schemes by attribute. A relative URL is kept too, unless it names another host. */
  schemes: Readonly<Record<string, readonly string[]>>;
  /** Tags that are removed with their text. */
  withoutText: readonly string[];
}

/** How many characters are read in one step. */
const stepLength = 16 * 1024;

/** Deeper elements are removed and their text kept, since browsers and other cleaners recurse into trees. */
const deepest = 200;

const emptyTags = new Set(["br", "img"]);

/** By opening tag: the parents that it closes, as in browsers. */
const closes = new Map<string, ReadonlySet<string>>([
  ...["blockquote", "div", "h1", "h2", "h3", "h4", "h5", "ol", "p", "pre", "table", "ul"].map(
    (tag) => [tag, new Set(["p"])] as const,
  ),
  ["li", new Set(["li", "p"])],
  ["td", new Set(["td", "th", "p"])],
  ["th", new Set(["td", "th", "p"])],
  ["tr", new Set(["tr", "td", "th"])],
  ["tbody", new Set(["thead", "tbody"])],
]);

/** Control characters except tab and line ends, and zero-width spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;

// One pass for each character: a replacer function takes ten times as long on a text of such characters alone. Patterns
// also give a flat string; `replaceAll` gives a rope, whose first reader pays for flattening it.
const withoutLess = (text: string): string => text.replace(/</g, "&lt;");
const escaped = (text: string): string => withoutLess(text.replace(/&/g, "&amp;")).replace(/>/g, "&gt;");
const asText = (text: string): string => escaped(text.replace(invisible, ""));
const asValue = (text: string): string => escaped(text).replace(/"/g, "&quot;");

/** Whether a URL has a permitted scheme. Ignores white space in it, as browsers do. */
function isAllowedAddress(address: string, schemes: readonly string[]): boolean {
  const bare = address.replace(/\s/g, "");
  if (/^[/\\]{2}/.test(bare)) return false;
  const scheme = /^[^/?#\\]*?:/.exec(bare)?.[0];
  return scheme === undefined || schemes.includes(scheme.slice(0, -1).toLowerCase());
}

interface Attribute {
  name: string;
  value: string;
}

/** The cleaned markup so far. Closes each element once, the last opened first. */
class Output {
  text = "";
  private readonly open: string[] = [];
  private readonly counts = new Map<string, number>();

  openTag(tag: string, attributes: readonly Attribute[]): void {
    const ended = closes.get(tag);
    while (ended?.has(this.open.at(-1) ?? "")) this.closeLast();
    const isEmpty = emptyTags.has(tag);
    if (!isEmpty && this.open.length >= deepest) return;
    this.text += `<${tag}`;
    for (const { name, value } of attributes) this.text += ` ${name}="${asValue(value)}"`;
    this.text += ">";
    if (isEmpty) return;
    this.open.push(tag);
    this.counts.set(tag, (this.counts.get(tag) ?? 0) + 1);
  }

  closeTag(tag: string): void {
    if ((this.counts.get(tag) ?? 0) === 0) return;
    while (this.closeLast() !== tag);
  }

  /** The whole markup, after closing the open elements. */
  end(): string {
    while (this.open.length > 0) this.closeLast();
    return this.text;
  }

  private closeLast(): string | undefined {
    const tag = this.open.pop();
    if (tag === undefined) return undefined;
    this.counts.set(tag, (this.counts.get(tag) ?? 0) - 1);
    this.text += `</${tag}>`;
    return tag;
  }
}

/** The characters of a character reference after its `&`. */
const inReference = /[#;0-9A-Za-z]*/y;

/** The parts of a text, none of which ends within a character reference. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    inReference.lastIndex = from + stepLength;
    const to = from + stepLength + (inReference.exec(text)?.[0].length ?? 0);
    yield text.slice(from, to);
    from = to;
  }
}

/** Receives tokens, and writes the permitted ones. */
class Reader implements TokenizerCallbacks {
  private html = "";
  private text = "";
  /** Where the text starts that is not copied to `text` yet: the tokenizer may report single characters. */
  private from = 0;
  private to = 0;
  /** The offset up to which tokens were complete. What follows at the end is an unfinished tag or comment. */
  private done = 0;
  /** An unfinished tag or comment, which is read again as text. */
  private unfinished = "";
  private tag = "";
  private attributes: Attribute[] = [];
  private attribute: Attribute | undefined;
  /** The open tag whose text is removed. */
  private skipped: string | undefined;
  private readonly rules: MarkupRules;
  private readonly output = new Output();

  constructor(rules: MarkupRules) {
    this.rules = rules;
  }

  *clean(html: string): Generator<void, string> {
    yield* this.read(html);
    for (const part of partsOf(this.unfinished)) yield* this.read(withoutLess(part));
    this.writeText();
    return this.output.end();
  }

  private *read(html: string): Generator<void> {
    this.takeText();
    [this.html, this.unfinished] = [html, ""];
    this.done = this.from = this.to = 0;
    const tokenizer = new Tokenizer({}, this);
    for (let at = 0; at < html.length; at += stepLength) {
      tokenizer.write(html.slice(at, at + stepLength));
      this.writeText();
      yield;
    }
    tokenizer.end();
  }

  private takeText(): void {
    if (this.to > this.from) this.text += this.html.slice(this.from, this.to);
    this.from = this.to;
  }

  /** Writes the text since the last tag at once. */
  private writeText(): void {
    this.takeText();
    if (this.skipped === undefined && this.text !== "") this.output.text += asText(this.text);
    this.text = "";
  }

  ontext(start: number, end: number): void {
    if (start !== this.to) {
      this.takeText();
      this.from = start;
    }
    this.to = end;
    this.done = end;
  }

  ontextentity(codePoint: number, end: number): void {
    this.takeText();
    this.text += String.fromCodePoint(codePoint);
    this.done = end;
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.attributes = [];
  }

  onattribname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const isWanted = this.rules.attributes[this.tag]?.includes(name) && !this.attributes.some((a) => a.name === name);
    this.attribute = isWanted ? { name, value: "" } : undefined;
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute) this.attribute.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.attribute) this.attribute.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!this.attribute) return;
    const { name } = this.attribute;
    const value = this.attribute.value.replace(invisible, "");
    const schemes = this.rules.schemes[name];
    if (!schemes || isAllowedAddress(value, schemes)) this.attributes.push({ name, value });
  }

  onopentagend(end: number): void {
    this.writeText();
    this.done = end + 1;
    if (this.skipped !== undefined) return;
    if (this.rules.withoutText.includes(this.tag)) this.skipped = this.tag;
    else if (this.rules.tags.has(this.tag)) this.output.openTag(this.tag, this.attributes);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    this.writeText();
    this.done = this.html.indexOf(">", end) + 1 || this.html.length;
    const tag = this.html.slice(start, end).toLowerCase();
    if (this.skipped === tag) this.skipped = undefined;
    else if (this.skipped === undefined) this.output.closeTag(tag);
  }

  oncomment(_start: number, end: number): void {
    if (this.html[end] === ">") this.done = end + 1;
  }

  ondeclaration(_start: number, end: number): void {
    this.done = end + 1;
  }

  oncdata(): void {}

  onprocessinginstruction(): void {}

  onend(): void {
    this.unfinished = this.html.slice(this.done);
  }
}

/** Cleans markup at once, or in steps between which the caller can yield to the event loop. */
export interface MarkupCleaner {
  clean(html: string): string;
  /** Each step takes at most some milliseconds. @returns the same as `clean`. */
  cleanInSteps(html: string): Generator<void, string>;
}

/**
 * Keeps the HTML that the rules permit and normalizes it: text escaped, attributes quoted, all elements closed. It takes
 * time proportional to the length of the text, and does not change its own output.
 */
export function markupCleaner(rules: MarkupRules): MarkupCleaner {
  function* cleanInSteps(html: string): Generator<void, string> {
    return /[<&]/.test(html) ? yield* new Reader(rules).clean(html) : asText(html);
  }
  return {
    clean(html) {
      const steps = cleanInSteps(html);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
      }
    },
    cleanInSteps,
  };
}
