/** Removes `remove` characters at `at` and inserts `insert` there. Positions are UTF-16 units of the old text. */
export interface Splice {
  at: number;
  remove: number;
  insert: string;
}

/** With more differences, everything between the common start and end of two texts is replaced as a whole. */
const maxDifferences = 1000;

/**
 * The number of steps to find differences in all texts of a draft; time grows with the square of the differences. When
 * they are used up, texts are replaced as a whole. Enough for twenty texts of 1,000 differences each.
 */
export class DiffEffort {
  #left = 10_000_000;

  /** Uses steps. @returns false when there were not enough left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/**
 * The splices that turn `before` into `after`, in ascending order. They are found by words, then narrowed to
 * characters, so that edits of two users in different places do not overlap. A new word beside one that begins or ends
 * alike is inserted whole: in pieces around the old word, it would be mixed with what another user inserts there. So is
 * a number: by characters, 2015 and 2020 in place of 2010 would become 2025, which nobody wrote.
 */
export function diffText(before: string, after: string, effort = new DiffEffort()): Splice[] {
  const [start, end] = commonWords(before, after);
  const old = wordsOf(before.slice(start, before.length - end));
  const fresh = wordsOf(after.slice(start, after.length - end));
  const splices: Splice[] = [];
  let at = start;
  for (const [removed, inserted, kept] of editScript(old, fresh, effort)) {
    const removedText = removed.join("");
    const come = inserted.join("");
    const [left, right] = commonOutsideNumbers(removedText, come);
    const splice = {
      at: at + left,
      remove: removedText.length - left - right,
      insert: come.slice(left, come.length - right),
    };
    if (splice.remove > 0 || splice.insert !== "") splices.push(splice);
    at += removedText.length + kept.join("").length;
  }
  return splices;
}

/** `text` after `splices` (ascending, without overlap). */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.at) + splice.insert;
    at = splice.at + splice.remove;
  }
  return result + text.slice(at);
}

/** Words, with decimal numbers as one, runs of spaces, and single signs. */
const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}\p{M}]+(?:(?<=\p{N})[.,](?=\p{N})[\p{L}\p{N}\p{M}]+)*|\s+|./gsu) ?? [];

/** Lengths of the common start and end of two texts, each up to the last whole word of both. */
function commonWords(a: string, b: string): [start: number, end: number] {
  const [start, end] = commonEnds(a, b);
  return [
    wholeWords(start, (length) => isInWord(a, length) || isInWord(b, length)),
    wholeWords(end, (length) => isInWord(a, a.length - length) || isInWord(b, b.length - length)),
  ];
}

/** What is longer is no word, and is cut anywhere: looking for its beginning would take long. */
const longestWord = 100;

function wholeWords(common: number, isCut: (length: number) => boolean): number {
  for (let length = common; length > common - longestWord; length--) if (!isCut(length)) return length;
  return common;
}

const ofOneWord = /^(?:[\p{L}\p{N}\p{M}]{2}|\s{2})$/u;

const ofOneDecimal = /^\p{N}[.,]\p{N}/u;

/** Whether `at` is beside the point of a decimal number. */
const isAtPoint = (text: string, at: number): boolean =>
  ofOneDecimal.test(text.slice(at - 1, at + 2)) || (at > 1 && ofOneDecimal.test(text.slice(at - 2, at + 1)));

/** Whether `at` is inside a word, a run of spaces or a surrogate pair. */
const isInWord = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  (isLowSurrogate(text.charCodeAt(at)) || ofOneWord.test(text.slice(at - 1, at + 1)) || isAtPoint(text, at));

/** Whether `at` cuts a word with a digit. */
function isInNumber(text: string, at: number): boolean {
  let [from, to] = [at, at];
  while (at - from < longestWord && isInWord(text, from)) from--;
  while (to - at < longestWord && isInWord(text, to)) to++;
  return /\p{N}/u.test(text.slice(from, to));
}

/** Lengths of the common start and end of two texts, which cut no number. */
function commonOutsideNumbers(a: string, b: string): [start: number, end: number] {
  const [start, end] = commonEnds(a, b);
  const [wholeStart, wholeEnd] = commonWords(a, b);
  return [
    isInNumber(a, start) || isInNumber(b, start) ? wholeStart : start,
    isInNumber(a, a.length - end) || isInNumber(b, b.length - end) ? wholeEnd : end,
  ];
}

/** Lengths of the common start and end of two texts. They never split a surrogate pair. */
function commonEnds(a: string, b: string): [start: number, end: number] {
  const limit = Math.min(a.length, b.length);
  let start = 0;
  while (start < limit && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  if (start > 0 && isHighSurrogate(a.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < limit - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  if (end > 0 && isLowSurrogate(a.charCodeAt(a.length - end))) end--;
  return [start, end];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

type Hunk = [removed: string[], inserted: string[], kept: string[]];

/** Myers' shortest edit script, as runs of removed, inserted and kept words. */
function editScript(a: string[], b: string[], effort: DiffEffort): Hunk[] {
  const trace = shortestPath(a, b, effort);
  if (trace === undefined) return [[a, b, []]];
  const hunks: Hunk[] = [];
  let current: Hunk = [[], [], []];
  for (const step of walkBack(trace, a, b)) {
    if (step.kind !== "keep" && current[2].length > 0) {
      hunks.push(current);
      current = [[], [], []];
    }
    current[step.kind === "remove" ? 0 : step.kind === "insert" ? 1 : 2].push(step.word);
  }
  hunks.push(current);
  return hunks;
}

/** The furthest point on each diagonal, for each number of differences; undefined when there are too many. */
function shortestPath(a: string[], b: string[], effort: DiffEffort): Int32Array[] | undefined {
  const limit = Math.min(a.length + b.length, maxDifferences);
  const size = 2 * limit + 3;
  const middle = limit + 1;
  const furthest = new Int32Array(size);
  const trace: Int32Array[] = [];
  for (let d = 0; d <= limit && effort.spend(d); d++) {
    trace.push(furthest.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, middle + k - 1) < at(furthest, middle + k + 1));
      let x = down ? at(furthest, middle + k + 1) : at(furthest, middle + k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

interface Step {
  kind: "keep" | "remove" | "insert";
  word: string;
}

function walkBack(trace: Int32Array[], a: string[], b: string[]): Step[] {
  const steps: Step[] = [];
  let x = a.length;
  let y = b.length;
  const keepDownTo = (left: number, top: number): void => {
    while (x > left && y > top) {
      steps.push({ kind: "keep", word: a[--x] ?? "" });
      y--;
    }
  };
  for (let d = trace.length - 1; d > 0; d--) {
    const furthest = trace[d] ?? new Int32Array();
    const middle = d + 1;
    const k = x - y;
    const down = k === -d || (k !== d && at(furthest, middle + k - 1) < at(furthest, middle + k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(furthest, middle + fromK);
    keepDownTo(down ? fromX : fromX + 1, down ? fromX - fromK + 1 : fromX - fromK);
    if (down) steps.push({ kind: "insert", word: b[--y] ?? "" });
    else steps.push({ kind: "remove", word: a[--x] ?? "" });
  }
  keepDownTo(0, 0);
  return steps.reverse();
}
