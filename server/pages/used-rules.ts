interface Rule {
  /** A selector list, or an at-rule. */
  head: string;
  /** Declarations, or the rules of an at-rule that has rules. */
  body: string | readonly Rule[];
}

/** The place after the bracket that closes the one at `open`. */
function endOf(sheet: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sheet.length; at++) {
    if (sheet[at] === "{") depth += 1;
    if (sheet[at] === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return sheet.length;
}

/** Reads a sheet of rules and at-rules; no comments, no brackets in texts. */
function rulesOf(sheet: string): Rule[] {
  const rules: Rule[] = [];
  let at = 0;
  for (let open = sheet.indexOf("{"); open !== -1; open = sheet.indexOf("{", at)) {
    const head = sheet.slice(at, open).trim();
    at = endOf(sheet, open);
    const body = sheet.slice(open + 1, at - 1);
    rules.push({ head, body: body.includes("{") ? rulesOf(body) : body.replaceAll("\n", "") });
  }
  return rules;
}

/** The selectors of a list; a comma within brackets separates nothing. */
const selectorsOf = (head: string): string[] =>
  head.split(/,(?![^(]*\))/).map((selector) => selector.trim().replaceAll("\n", " "));

/** The classes that an element or its surroundings must have. */
const classesOf = (selector: string): string[] =>
  [...selector.replace(/:(?:not|is|has)\([^)]*\)/g, "").matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);

function written(rules: readonly Rule[], isUsed: (name: string) => boolean): string {
  return rules
    .map(({ head, body }) => {
      if (typeof body !== "string") {
        const inner = written(body, isUsed);
        return inner === "" ? "" : `${head}{${inner}}`;
      }
      const selectors = selectorsOf(head).filter((selector) => classesOf(selector).every(isUsed));
      return selectors.length === 0 ? "" : `${selectors.join(",")}{${body}}`;
    })
    .join("");
}

/** Makes the part of a style sheet that a document uses: the rules whose classes it has. */
export function usedRules(sheet: string): (document: string) => string {
  const rules = rulesOf(sheet);
  return (document) => {
    const names = new Set<string>();
    for (const [, list = ""] of document.matchAll(/ class="([^"]*)"/g))
      for (const name of list.split(" ")) names.add(name);
    return written(rules, (name) => names.has(name));
  };
}
