import { automaticDistance } from "../../shared/search/language/edit-distance.ts";
import type { CharacterSet, RegexTree } from "../../shared/search/language/regex-parser.ts";

/** Writes patterns in Lucene's syntax of regular expressions, in which every sign that is no letter or digit is escaped. */

const escaped = (character: string): string =>
  /^[\p{L}\p{N}\p{M}\s]$/u.test(character) || character < " " ? character : `\\${character}`;

/** A text as a pattern that matches nothing else. */
export const literal = (text: string): string => Array.from(text, escaped).join("");

const characterOf = (code: number): string => escaped(String.fromCodePoint(code));

function setPattern({ ranges, isNegated }: CharacterSet): string {
  const [range] = ranges;
  // No value holds the character U+0004.
  if (range === undefined) return isNegated ? "." : "\u0004";
  if (!isNegated && ranges.length === 1 && range[0] === range[1]) return characterOf(range[0]);
  const members = ranges.map(([from, to]) =>
    from === to ? characterOf(from) : `${characterOf(from)}-${characterOf(to)}`,
  );
  return `[${isNegated ? "^" : ""}${members.join("")}]`;
}

/** The pattern of a tree. */
export function regexPattern(tree: RegexTree): string {
  switch (tree.type) {
    case "set":
      return setPattern(tree.set);
    case "sequence":
      return tree.items.length === 0 ? "()" : tree.items.map(regexPattern).join("");
    case "choice":
      return `(${tree.items.map(regexPattern).join("|")})`;
    case "repeat": {
      const inner = `(${regexPattern(tree.item)})`;
      if (tree.max === undefined) return tree.min === 0 ? `${inner}*` : `${inner}{${tree.min},}`;
      return tree.max === 0 ? "()" : `${inner}{${tree.min},${tree.max}}`;
    }
  }
}

/** A fuzzy word with its distance. */
export interface NearWord {
  word: string;
  distance: number;
}

export const nearWord = (word: string, distance: number | undefined): NearWord => ({
  word,
  distance: distance ?? automaticDistance(word),
});

/** Lucene leaves out terms as short as the distance: such words need a pattern. */
export const needsPattern = ({ word, distance }: NearWord): boolean => Array.from(word).length <= 2 * distance;

/** The pattern of a short fuzzy word: insert, delete, replace and swap of neighbours cost 1 each. */
export function nearPattern({ word, distance }: NearWord): string {
  const characters = Array.from(word);
  const from = (at: number, left: number): string => {
    const [own, next] = [characters[at], characters[at + 1]];
    const options: string[] = [];
    if (own === undefined) options.push("()");
    else options.push(escaped(own) + from(at + 1, left));
    if (left > 0) {
      options.push(`.${from(at, left - 1)}`);
      if (own !== undefined) options.push(`.?${from(at + 1, left - 1)}`);
      if (own !== undefined && next !== undefined && own !== next)
        options.push(escaped(next) + escaped(own) + from(at + 2, left - 1));
    }
    return options.length === 1 ? (options[0] ?? "") : `(${options.join("|")})`;
  };
  return from(0, distance);
}
