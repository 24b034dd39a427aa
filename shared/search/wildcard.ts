/** Wildcards: `*` any run, `?` one character, a backslash makes the next character literal (search 5.3). */

const ANY_RUN = -1;
const ANY_ONE = -2;

export interface Wildcard {
  /** The whole value fits the pattern. At most pattern length times value length steps. */
  matches(value: string): boolean;
  /** What every match begins with. */
  prefix: string;
  /** All that is no wildcard, in order. */
  literal: string;
  /** The pattern is the prefix and one closing `*`. */
  isPrefix: boolean;
}

/** Reads a pattern. `fold` is applied to its literal runs. */
export function compileWildcard(pattern: string, fold: (text: string) => string = (text) => text): Wildcard {
  const steps: number[] = [];
  let literal = "";
  const flush = () => {
    for (const sign of fold(literal)) steps.push(sign.codePointAt(0) ?? 0);
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

/** The longest text that every match holds: looking for it first spares most values the rest. */
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
  if (!surrogate.test(value)) return fitsSigns(steps, value.length, (at) => value.charCodeAt(at));
  const signs = Array.from(value, (sign) => sign.codePointAt(0) ?? 0);
  return fitsSigns(steps, signs.length, (at) => signs[at] ?? 0);
}

/** Goes back to the last run only: no exponential case. */
function fitsSigns(steps: readonly number[], length: number, signAt: (at: number) => number): boolean {
  let step = 0;
  let sign = 0;
  let lastRun = -1;
  let resume = 0;
  while (sign < length) {
    const wanted = steps[step];
    if (wanted === ANY_RUN) {
      lastRun = step;
      resume = sign;
      step += 1;
    } else if (wanted === ANY_ONE || (wanted !== undefined && wanted === signAt(sign))) {
      step += 1;
      sign += 1;
    } else if (lastRun >= 0) {
      resume += 1;
      step = lastRun + 1;
      sign = resume;
    } else {
      return false;
    }
  }
  while (steps[step] === ANY_RUN) step += 1;
  return step === steps.length;
}
