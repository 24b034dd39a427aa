/** Top-level values of a CITATION.cff: texts, and lists of texts or of flat objects. */
export type YamlValue = string | (string | Record<string, string>)[];

function plain(text: string): string {
  const bare = text.trim();
  if (bare.startsWith('"')) {
    try {
      return String(JSON.parse(bare));
    } catch {
      return bare.replace(/^"|"$/g, "");
    }
  }
  if (bare.startsWith("'")) return bare.replace(/^'|'$/g, "").replaceAll("''", "'");
  return (bare.split(/\s#/, 1)[0] ?? "").trimEnd();
}

const indentOf = (line: string) => line.search(/\S/);

/** A multi-line text: `|` keeps line ends, `>` and continued texts fold them. */
function block(lines: string[], mark: string): string {
  const indent = lines.filter((line) => line.trim()).reduce((least, line) => Math.min(least, indentOf(line)), 80);
  const cut = lines.map((line) => line.slice(indent));
  const text = mark.startsWith("|") ? cut.join("\n") : cut.join("\n").replace(/([^\n])\n(?=[^\n])/g, "$1 ");
  return text.trim();
}

function list(lines: string[]): (string | Record<string, string>)[] {
  const items: (string | Record<string, string>)[] = [];
  const depth = indentOf(lines[0] ?? "");
  for (const line of lines) {
    const isItem = indentOf(line) === depth && /^\s*-(\s|$)/.test(line);
    const words = isItem ? line.replace(/^\s*-\s*/, "") : line.trim();
    const [, key, value = ""] = /^([\w-]+):(?:\s+(.*))?$/.exec(words) ?? [];
    const last = items.at(-1);
    if (key === undefined) {
      if (isItem) items.push(plain(words));
    } else if (isItem) items.push({ [key]: plain(value) });
    else if (typeof last === "object") last[key] ??= plain(value);
  }
  return items;
}

/** Parses the subset of YAML that citation files use; deeper nesting is skipped. */
export function parseYaml(text: string): Record<string, YamlValue> {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line));
  const values: Record<string, YamlValue> = {};
  let at = 0;
  while (at < lines.length) {
    const [, key, value = ""] = /^([\w-]+):(?:\s+(.*))?$/.exec(lines[at] ?? "") ?? [];
    at += 1;
    if (key === undefined) continue;
    const begin = at;
    while (at < lines.length && (/^\s/.test(lines[at] ?? "") || /^-\s/.test(lines[at] ?? "") || lines[at] === ""))
      at += 1;
    const inner = lines.slice(begin, at);
    const held = inner.filter((line) => line.trim());
    const mark = value.trim();
    if (/^[|>][+-]?$/.test(mark)) values[key] = block(inner, mark);
    else if (mark === "" && /^\s*-(\s|$)/.test(held[0] ?? "")) values[key] = list(held);
    else if (/^\[.*\]$/.test(mark)) values[key] = mark.slice(1, -1).split(",").map(plain).filter(Boolean);
    else if (mark !== "") values[key] = plain([mark, ...held.map((line) => line.trim())].join(" "));
  }
  return values;
}
