import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** What may stay of HTML that people wrote; everything else goes. */
export interface MarkupRules {
  tags: ReadonlySet<string>;
  /** By tag. */
  attributes: Readonly<Record<string, readonly string[]>>;
  /** Schemes by attribute that holds an address; one without a scheme stays too, unless it names another host. */
  schemes: Readonly<Record<string, readonly string[]>>;
  /** Tags whose text goes with them. */
  withoutText: readonly string[];
}

/** So many characters are read in a step. */
const stepLength = 16 * 1024;

/** Elements deeper than this are taken out, their text stays: browsers and cleaners walk trees by recursion. */
const deepest = 200;

const emptyTags = new Set(["br", "img"]);

/** What an opening tag closes, as browsers do, when it stands directly around it. */
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

/** Control characters but tab and line ends, and spaces without width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;

// One pass for each sign: a function called for each would take ten times as long where a text has nothing else. Patterns
// write one flat text; `replaceAll` joins so many parts, which whoever reads the text first pays for.
const withoutLess = (text: string): string => text.replace(/</g, "&lt;");
const escaped = (text: string): string => withoutLess(text.replace(/&/g, "&amp;")).replace(/>/g, "&gt;");
const asText = (text: string): string => escaped(text.replace(invisible, ""));
const asValue = (text: string): string => escaped(text).replace(/"/g, "&quot;");

/** Whether an address stays within the schemes. Browsers skip white space in it. */
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

/** The markup being written: elements are closed in the order of their opening, each once. */
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

  /** The whole, with what is still open closed. */
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

/** Characters that a character reference may have after its `&`. */
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

/** Takes what the tokenizer finds, and writes what may stay. */
class Reader implements TokenizerCallbacks {
  private html = "";
  private text = "";
  /** Text that continues `text`, not copied yet: the tokenizer may give every character by itself. */
  private from = 0;
  private to = 0;
  /** How far everything has been taken; what follows at the end is a tag or comment that never ends. */
  private done = 0;
  /** Such an end, to be read again as text. */
  private unfinished = "";
  private tag = "";
  private attributes: Attribute[] = [];
  private attribute: Attribute | undefined;
  /** The tag that is open and whose text goes with it. */
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

/** Cleans markup by the same rules in one go, or in steps between which others may go on. */
export interface MarkupCleaner {
  clean(html: string): string;
  /** Each step takes at most some milliseconds. @returns the same as `clean`. */
  cleanInSteps(html: string): Generator<void, string>;
}

/**
 * Keeps what the rules allow of HTML, in one spelling: text escaped, attributes quoted, all elements closed. Its time is
 * proportional to the text's length, whatever stands in it. What it gives, it leaves as it is.
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
