/**
 * Positions in a list are fractions in base 62 (digits in ASCII order, no trailing zero), compared as text. There is
 * always a position between two others, so moving an item changes only that item.
 */
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = digits.length;
/** Appending and prepending count in the first three digits, so that positions stay short. */
const head = 3;
const headLimit = base ** head;
/** The position of the first item of an empty list. */
const start = "V";
/** A list with a longer position gets new positions. A document accepts up to 200 characters. */
const longest = 100;

export const isPosition = (text: unknown): text is string =>
  typeof text === "string" && /^[0-9A-Za-z]{0,199}[1-9A-Za-z]$/.test(text);

/** Whether a position has become too long, because many items were inserted at one place. */
export const isNarrow = (position: string): boolean => position.length > longest;

/** `count` ascending positions strictly between `low` and `high`; undefined stands for an end of the list. */
export function positionsBetween(low: string | undefined, high: string | undefined, count: number): string[] {
  if (count <= 0) return [];
  if (high === undefined && count < headLimit - headOf(low ?? start)) return climb(low, count);
  const middle = high === undefined ? midpoint(low ?? start, undefined) : between(low, high);
  if (count === 1) return [middle];
  const before = Math.floor((count - 1) / 2);
  return [...positionsBetween(low, middle, before), middle, ...positionsBetween(middle, high, count - 1 - before)];
}

function climb(low: string | undefined, count: number): string[] {
  const result: string[] = [];
  let last = low;
  for (let i = 0; i < count; i++) {
    last = last === undefined ? start : after(last);
    result.push(last);
  }
  return result;
}

const headOf = (position: string): number =>
  [...position.slice(0, head).padEnd(head, "0")].reduce((sum, digit) => sum * base + digits.indexOf(digit), 0);

function fromHead(number: number): string {
  let text = "";
  for (let rest = number, i = 0; i < head; i++, rest = Math.floor(rest / base)) text = digitAt(rest % base) + text;
  return text.replace(/0+$/, "");
}

const after = (position: string): string => {
  const next = headOf(position) + 1;
  return next < headLimit ? fromHead(next) : midpoint(position, undefined);
};

function between(low: string | undefined, high: string): string {
  if (low !== undefined) return midpoint(low, high);
  const previous = headOf(high) - 1;
  return previous > 0 ? fromHead(previous) : midpoint("", high);
}

const digitAt = (value: number): string => digits.charAt(value);
const valueAt = (position: string, index: number): number =>
  index < position.length ? digits.indexOf(position.charAt(index)) : 0;

/** The shortest position between two others: the middle of their first different digit, or one digit more. */
function midpoint(low: string, high: string | undefined): string {
  let result = "";
  let bounded = high !== undefined;
  for (let i = 0; ; i++) {
    const from = valueAt(low, i);
    const to = bounded && high !== undefined ? valueAt(high, i) : base;
    if (to - from > 1) return result + digitAt(Math.floor((from + to) / 2));
    result += digitAt(from);
    if (to !== from) bounded = false;
  }
}
