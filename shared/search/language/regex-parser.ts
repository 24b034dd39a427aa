/** The regex subset of search 5.3, read into a tree. */

export interface CharacterSet {
  ranges: [number, number][];
  isNegated: boolean;
}

export type RegexTree =
  | { type: "set"; set: CharacterSet }
  | { type: "sequence"; items: RegexTree[] }
  | { type: "choice"; items: RegexTree[] }
  | { type: "repeat"; item: RegexTree; min: number; max?: number };

const NESTING_LIMIT = 100;
const COUNT_LIMIT = 1000;
const BROKEN = Symbol("broken regex");

const CLASSES: Record<string, CharacterSet["ranges"]> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
    [160, 160],
  ],
};

/** The tree of a pattern; undefined when it is broken. `fold` is applied to literal characters. */
export function parseRegex(pattern: string, fold?: (text: string) => string): RegexTree | undefined {
  try {
    return new RegexParser(Array.from(pattern), fold ?? ((text) => text)).whole();
  } catch (problem) {
    if (problem === BROKEN) return undefined;
    throw problem;
  }
}

class RegexParser {
  readonly characters: readonly string[];
  readonly fold: (text: string) => string;
  at = 0;

  constructor(characters: readonly string[], fold: (text: string) => string) {
    this.characters = characters;
    this.fold = fold;
  }

  whole(): RegexTree {
    const tree = this.choice(0);
    if (this.at < this.characters.length) throw BROKEN;
    return tree;
  }

  private take(character: string): boolean {
    if (this.characters[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private next(): string {
    const character = this.characters[this.at];
    if (character === undefined) throw BROKEN;
    this.at += 1;
    return character;
  }

  private choice(depth: number): RegexTree {
    if (depth > NESTING_LIMIT) throw BROKEN;
    const items = [this.sequence(depth)];
    while (this.take("|")) items.push(this.sequence(depth));
    const [only] = items;
    return items.length === 1 && only ? only : { type: "choice", items };
  }

  private sequence(depth: number): RegexTree {
    const items: RegexTree[] = [];
    for (;;) {
      const character = this.characters[this.at];
      if (character === undefined || character === "|" || character === ")") break;
      let item = this.atom(depth);
      for (let next = this.repeated(item); next !== undefined; next = this.repeated(item)) item = next;
      items.push(item);
    }
    return { type: "sequence", items: items.flatMap((item) => (item.type === "sequence" ? item.items : [item])) };
  }

  private repeated(item: RegexTree): RegexTree | undefined {
    if (this.take("*")) return { type: "repeat", item, min: 0 };
    if (this.take("+")) return { type: "repeat", item, min: 1 };
    if (this.take("?")) return { type: "repeat", item, min: 0, max: 1 };
    if (!this.take("{")) return undefined;
    const min = this.count();
    const isOpen = this.take(",");
    const max = isOpen ? (this.characters[this.at] === "}" ? undefined : this.count()) : min;
    if (!this.take("}") || (max !== undefined && max < min)) throw BROKEN;
    return max === undefined ? { type: "repeat", item, min } : { type: "repeat", item, min, max };
  }

  private count(): number {
    let digits = "";
    while (/^\d$/.test(this.characters[this.at] ?? "")) digits += this.next();
    const count = Number(digits);
    if (digits === "" || count > COUNT_LIMIT) throw BROKEN;
    return count;
  }

  private atom(depth: number): RegexTree {
    const character = this.next();
    switch (character) {
      case "(": {
        const inner = this.choice(depth + 1);
        if (!this.take(")")) throw BROKEN;
        return inner;
      }
      case ".":
        return { type: "set", set: { ranges: [], isNegated: true } };
      case "[":
        return { type: "set", set: this.characterClass() };
      case "\\":
        return this.escaped();
      case "*":
      case "+":
      case "?":
      case "{":
      case "}":
      case "]":
        throw BROKEN;
      default:
        return this.literal(character);
    }
  }

  private literal(character: string): RegexTree {
    const items = Array.from(this.fold(character), (folded): RegexTree => ({ type: "set", set: single(folded) }));
    const [only] = items;
    return items.length === 1 && only ? only : { type: "sequence", items };
  }

  private escaped(): RegexTree {
    const character = this.next();
    const ranges = CLASSES[character.toLowerCase()];
    if (ranges !== undefined) return { type: "set", set: { ranges, isNegated: character !== character.toLowerCase() } };
    return this.literal(character);
  }

  private characterClass(): CharacterSet {
    const isNegated = this.take("^");
    const ranges: CharacterSet["ranges"] = [];
    do {
      const from = this.member();
      if (typeof from !== "number") {
        ranges.push(...from);
      } else if (this.characters[this.at] === "-" && this.characters[this.at + 1] !== "]") {
        this.at += 1;
        const to = this.member();
        if (typeof to !== "number" || to < from) throw BROKEN;
        ranges.push([from, to]);
      } else {
        ranges.push([from, from]);
      }
    } while (!this.take("]"));
    return { ranges, isNegated };
  }

  private member(): number | CharacterSet["ranges"] {
    const character = this.next();
    if (character !== "\\") return codeOf(this.foldedMember(character));
    const escaped = this.next();
    const ranges = CLASSES[escaped.toLowerCase()];
    if (ranges === undefined) return codeOf(this.foldedMember(escaped));
    return escaped === escaped.toLowerCase() ? ranges : outside(ranges);
  }

  /** A letter whose folded form is several letters stays as it is. */
  private foldedMember(character: string): string {
    const folded = this.fold(character);
    return Array.from(folded).length === 1 ? folded : character;
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const single = (character: string): CharacterSet => ({
  ranges: [[codeOf(character), codeOf(character)]],
  isNegated: false,
});

function outside(ranges: CharacterSet["ranges"]): CharacterSet["ranges"] {
  const result: CharacterSet["ranges"] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    if (start > from) result.push([from, start - 1]);
    from = end + 1;
  }
  result.push([from, 0x10ffff]);
  return result;
}
