import type { RegexTree } from "./regex-parser.ts";

/** Wildcards: `*` any run, `?` one character, a backslash makes the next character literal (search 5.3). */

const ANY_RUN = -1;
const ANY_ONE = -2;

export interface Wildcard {
  /** The whole value fits the pattern. At most pattern length times value length steps. */
  matches(value: string): boolean;
  /** What every match begins with. */
  prefix: string;
  /** The literal characters, in order. */
  literal: string;
  /** The pattern is the prefix and one closing `*`. */
  isPrefix: boolean;
}

/** Reads a pattern. `fold` is applied to its literal runs. */
export function compileWildcard(pattern: string, fold: (text: string) => string = (text) => text): Wildcard {
  const steps = stepsOf(pattern, fold);
  const longest = longestRun(steps);
  const firstWild = steps.findIndex((step) => step < 0);
  const prefixSteps = firstWild < 0 ? steps : steps.slice(0, firstWild);
  return {
    matches: (value) => value.includes(longest) && fits(steps, value),
    prefix: String.fromCodePoint(...prefixSteps),
    literal: String.fromCodePoint(...steps.filter((step) => step >= 0)),
    isPrefix: firstWild === steps.length - 1 && steps.at(-1) === ANY_RUN,
  };
}

/** The same as a regular expression. */
export function wildcardTree(pattern: string, fold: (text: string) => string): RegexTree {
  const any: RegexTree = { type: "set", set: { ranges: [], isNegated: true } };
  const items = stepsOf(pattern, fold).map((step): RegexTree => {
    if (step === ANY_RUN) return { type: "repeat", item: any, min: 0 };
    return step === ANY_ONE ? any : { type: "set", set: { ranges: [[step, step]], isNegated: false } };
  });
  return { type: "sequence", items };
}

function stepsOf(pattern: string, fold: (text: string) => string): number[] {
  const steps: number[] = [];
  let literal = "";
  const flush = () => {
    for (const character of fold(literal)) steps.push(character.codePointAt(0) ?? 0);
    literal = "";
  };
  for (const [piece] of pattern.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    if (piece === "*" || piece === "?") {
      flush();
      if (piece === "?") steps.push(ANY_ONE);
      else if (steps.at(-1) !== ANY_RUN) steps.push(ANY_RUN);
    } else {
      literal += piece.length > 1 && piece.startsWith("\\") ? piece.slice(1) : piece;
    }
  }
  flush();
  return steps;
}

/** The longest text that every match holds. Looking for it first decides most values. */
function longestRun(steps: readonly number[]): string {
  const runs: number[][] = [[]];
  for (const step of steps) {
    if (step < 0) runs.push([]);
    else runs.at(-1)?.push(step);
  }
  return String.fromCodePoint(...runs.reduce((best, run) => (run.length > best.length ? run : best)));
}

const surrogate = /[\uD800-\uDFFF]/;

function fits(steps: readonly number[], value: string): boolean {
  if (!surrogate.test(value)) return fitsCharacters(steps, value.length, (at) => value.charCodeAt(at));
  const characters = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  return fitsCharacters(steps, characters.length, (at) => characters[at] ?? 0);
}

/** Goes back to the last run only, so that no pattern takes exponential time. */
function fitsCharacters(steps: readonly number[], length: number, signAt: (at: number) => number): boolean {
  let step = 0;
  let character = 0;
  let lastRun = -1;
  let resume = 0;
  while (character < length) {
    const wanted = steps[step];
    if (wanted === ANY_RUN) {
      lastRun = step;
      resume = character;
      step += 1;
    } else if (wanted === ANY_ONE || (wanted !== undefined && wanted === signAt(character))) {
      step += 1;
      character += 1;
    } else if (lastRun >= 0) {
      resume += 1;
      step = lastRun + 1;
      character = resume;
    } else {
      return false;
    }
  }
  while (steps[step] === ANY_RUN) step += 1;
  return step === steps.length;
}
