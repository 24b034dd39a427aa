// A small reader of Markdown: headings, lists, quotes, code, tables, emphasis, links. HTML inside it stays text,
// so there is nothing to clean: what comes out is a tree of known parts.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong"; parts: Inline[] }
  | { kind: "em"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; isOrdered: boolean; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const deepest = 12;
const inline =
  /(?<tick>`+)(?<code>.+?)\k<tick>(?!`)|!?\[(?<label>[^\][]*)\]\((?<href>[^()\s]+)(?:\s+"[^"]*")?\)|(?<star>\*\*|__)(?=\S)(?<strong>.+?)(?<=\S)\k<star>|(?<mark>[*_])(?=\S)(?<em>[^*_]+?)(?<=\S)\k<mark>(?![\p{L}\p{N}])|<?(?<bare>https?:\/\/[^\s<>()]+[^\s<>().,;:!?])>?/gsu;

/** Only addresses that a browser opens as a page or a mail. */
const isSafe = (href: string) => /^(?:https?:\/\/|mailto:)/i.test(href);

function parseInline(text: string, depth = 0): Inline[] {
  if (depth > deepest) return [{ kind: "text", text }];
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const { code, label, href = "", strong, em, bare } = match.groups ?? {};
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    if (code !== undefined) parts.push({ kind: "code", text: code.trim() });
    else if (strong !== undefined) parts.push({ kind: "strong", parts: parseInline(strong, depth + 1) });
    else if (em !== undefined) parts.push({ kind: "em", parts: parseInline(em, depth + 1) });
    else if (bare !== undefined) parts.push({ kind: "link", href: bare, parts: [{ kind: "text", text: bare }] });
    else if (isSafe(href)) parts.push({ kind: "link", href, parts: parseInline(label || href, depth + 1) });
    else parts.push({ kind: "text", text: label || href });
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => parseInline(cell.trim()));

const fence = /^\s{0,3}(`{3,}|~{3,})/;
const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^\s{0,3}([-*_])\s*(?:\1\s*){2,}$/;
const quote = /^\s{0,3}>\s?/;
const item = /^(\s{0,3})([-*+]|\d{1,9}[.)])\s+/;
const delimiter = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** The lines from `from` on for which the test holds. */
function run(lines: string[], from: number, holds: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && holds(lines[end] ?? "")) end += 1;
  return end;
}

function readList(lines: string[], from: number, depth: number): { block: Block; end: number } {
  const isOrdered = /^\s*\d/.test(lines[from] ?? "");
  const items: Block[][] = [];
  let at = from;
  for (;;) {
    const start = item.exec(lines[at] ?? "");
    if (!start || /^\s*\d/.test(start[0]) !== isOrdered) break;
    const indent = start[0].length;
    const end = run(lines, at + 1, (line) => /^\s*$/.test(line) || line.search(/\S/) >= Math.min(indent, 2));
    const indented = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^\\s{0,${indent}}`), ""));
    items.push(parseBlocks([(lines[at] ?? "").slice(indent), ...indented], depth + 1));
    at = end;
  }
  return { block: { kind: "list", isOrdered, items }, end: Math.max(at, from + 1) };
}

function readTable(lines: string[], from: number): { block: Block; end: number } {
  const end = run(lines, from + 2, (line) => line.includes("|"));
  return {
    block: { kind: "table", head: cellsOf(lines[from] ?? ""), rows: lines.slice(from + 2, end).map(cellsOf) },
    end,
  };
}

const begins = (line: string) =>
  fence.test(line) || heading.test(line) || rule.test(line) || quote.test(line) || item.test(line);

function readBlock(lines: string[], at: number, depth: number): { block: Block; end: number } {
  const line = lines[at] ?? "";
  const [, marks] = fence.exec(line) ?? [];
  if (marks) {
    const end = run(lines, at + 1, (one) => !one.trim().startsWith(marks));
    return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
  }
  const [, level, words = ""] = heading.exec(line) ?? [];
  if (level) return { block: { kind: "heading", level: level.length, parts: parseInline(words) }, end: at + 1 };
  if (rule.test(line)) return { block: { kind: "rule" }, end: at + 1 };
  if (quote.test(line)) {
    const end = run(lines, at, (one) => quote.test(one));
    const inner = lines.slice(at, end).map((one) => one.replace(quote, ""));
    return { block: { kind: "quote", blocks: parseBlocks(inner, depth + 1) }, end };
  }
  if (item.test(line)) return readList(lines, at, depth);
  if (line.includes("|") && delimiter.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-"))
    return readTable(lines, at);
  const end = run(lines, at + 1, (one) => /\S/.test(one) && !begins(one));
  return { block: { kind: "paragraph", parts: parseInline(lines.slice(at, end).join("\n")) }, end };
}

function parseBlocks(lines: string[], depth: number): Block[] {
  if (depth > deepest) return [{ kind: "paragraph", parts: [{ kind: "text", text: lines.join("\n") }] }];
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (/^\s*$/.test(lines[at] ?? "")) {
      at += 1;
      continue;
    }
    const { block, end } = readBlock(lines, at, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

export const parseMarkdown = (text: string): Block[] => parseBlocks(text.split(/\r?\n/), 0);
