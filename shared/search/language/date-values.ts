/** Dates in queries: instants in microseconds, calendar spans in days since 1970-01-01, both UTC (search 5.3). */

/** A span of time that includes both ends. */
export interface Span {
  first: number;
  last: number;
}

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const NOW = /^now((?:[+-]\d{1,6}[yMwdhHms]|\/[yMwdhHms])*)$/;
const UNIT_MS: Record<string, number> = { w: 7 * DAY_MS, d: DAY_MS, h: 3_600_000, H: 3_600_000, m: 60_000, s: 1000 };

/**
 * The instants a value may mean: `first` is read for `>=` and `<`, `last` for `<=` and `>`. Missing month and
 * day read as 01, missing time as the first or last microsecond of the day. `now` is in microseconds.
 * Undefined when the value is no date.
 */
export function instantsOf(text: string, now: number): Span | undefined {
  const date = DATE.exec(text);
  if (date) {
    const day = dayOf(Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1));
    return day === undefined ? undefined : microseconds(day * DAY_MS, (day + 1) * DAY_MS);
  }
  return timeOfDay(text) ?? fromNow(text, now);
}

/**
 * The days of a calendar date: a year, month or day, or an interval of two of them (`2019/2020-03`).
 * Undefined when the value is no such date.
 */
export function daysOf(text: string): Span | undefined {
  const [from, to, ...more] = text.split("/");
  if (from === undefined || more.length > 0) return undefined;
  const start = calendarDays(from);
  const end = to === undefined ? start : calendarDays(to);
  if (!start || !end || end.last < start.first) return undefined;
  return { first: start.first, last: end.last };
}

/** As `daysOf` without intervals, and with instants and `now`, which mean their day. */
export function daysOfBound(text: string, now: number): Span | undefined {
  const calendar = calendarDays(text);
  if (calendar) return calendar;
  const instants = instantsOf(text, now);
  if (!instants) return undefined;
  return { first: Math.floor(instants.first / 1000 / DAY_MS), last: Math.floor(instants.last / 1000 / DAY_MS) };
}

/** The year of a day number. */
export const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();

const microseconds = (fromMs: number, untilMs: number): Span => ({ first: fromMs * 1000, last: untilMs * 1000 - 1 });

/** The number of a day; undefined when the calendar has no such day. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.getTime() / DAY_MS;
}

function calendarDays(text: string): Span | undefined {
  const date = DATE.exec(text);
  if (!date) return undefined;
  const [year, month, day] = [Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1)];
  const first = dayOf(year, month, day);
  if (first === undefined || date[3] !== undefined) return first === undefined ? undefined : { first, last: first };
  const next = date[2] === undefined || month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, month + 1, 1);
  return next === undefined ? undefined : { first, last: next - 1 };
}

function timeOfDay(text: string): Span | undefined {
  const found = DATE_TIME.exec(text);
  if (!found) return undefined;
  const [, date = "", hour = "", minute, second, fraction, zone = "Z"] = found;
  const days = calendarDays(date);
  if (!days || Number(hour) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  const offset = offsetMinutes(zone);
  if (offset === undefined) return undefined;
  const at = (min: string, sec: string, micro: string): number =>
    ((days.first * 24 + Number(hour)) * 60 + Number(min) - offset) * 60_000_000 +
    Number(sec) * 1_000_000 +
    Number(micro);
  const first = at(minute ?? "0", second ?? "0", (fraction ?? "").padEnd(6, "0").slice(0, 6));
  const last = at(minute ?? "59", second ?? "59", (fraction ?? "").padEnd(6, "9").slice(0, 6));
  return { first, last };
}

function offsetMinutes(zone: string): number | undefined {
  const found = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (!found) return 0;
  const [hours, minutes] = [Number(found[2]), Number(found[3] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (found[1] === "-" ? -1 : 1) * (hours * 60 + minutes);
}

function fromNow(text: string, now: number): Span | undefined {
  const found = NOW.exec(text);
  if (!found) return undefined;
  let first = new Date(Math.floor(now / 1000));
  let until: Date | undefined;
  for (const [, sign, amount, unit = ""] of (found[1] ?? "").matchAll(/([+\-/])(\d*)(\w)/g)) {
    if (sign === "/") {
      first = floored(first, unit);
      until = shifted(first, unit, 1);
      continue;
    }
    const change = (sign === "-" ? -1 : 1) * Number(amount);
    first = shifted(first, unit, change);
    until = until && shifted(until, unit, change);
  }
  if (Number.isNaN(first.getTime())) return undefined;
  return until
    ? microseconds(first.getTime(), until.getTime())
    : { first: first.getTime() * 1000, last: first.getTime() * 1000 };
}

function shifted(date: Date, unit: string, amount: number): Date {
  const result = new Date(date);
  if (unit === "y") result.setUTCFullYear(result.getUTCFullYear() + amount);
  else if (unit === "M") result.setUTCMonth(result.getUTCMonth() + amount);
  else result.setTime(result.getTime() + amount * (UNIT_MS[unit] ?? 0));
  return result;
}

function floored(date: Date, unit: string): Date {
  if (unit === "y") return new Date(Date.UTC(date.getUTCFullYear(), 0, 1));
  if (unit === "M") return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  const size = UNIT_MS[unit] ?? 1;
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  const origin = unit === "w" ? 4 * DAY_MS : 0;
  return new Date(Math.floor((date.getTime() - origin) / size) * size + origin);
}
