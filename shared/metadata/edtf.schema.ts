import { z } from "zod";
import { type Field, messages, report } from "./field.schema.ts";
import { linePlace } from "./place.schema.ts";

/** First and last day (`YYYY-MM-DD`) of a date or interval; undefined at an open end. */
export interface DateInterval {
  lo: string | undefined;
  hi: string | undefined;
}

interface Days {
  lo: string;
  hi: string;
}

const datePattern = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(T.*)?)?)?$/;
const timePattern = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

function readDate(date: string, mayHaveTime: boolean): Days | undefined {
  const match = datePattern.exec(date);
  if (!match) return undefined;
  const [, year = "", month, day, time] = match;
  if (time !== undefined && !(mayHaveTime && timePattern.test(time))) return undefined;
  if (month === undefined) return { lo: `${year}-01-01`, hi: `${year}-12-31` };
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  const lastDay = daysInMonth(Number(year), Number(month));
  if (day === undefined) return { lo: `${year}-${month}-01`, hi: `${year}-${month}-${twoDigits(lastDay)}` };
  if (Number(day) < 1 || Number(day) > lastDay) return undefined;
  return { lo: `${year}-${month}-${day}`, hi: `${year}-${month}-${day}` };
}

function readInterval(from: string, to: string, mayHaveTime: boolean): DateInterval | undefined {
  if (from === "" && to === "") return undefined;
  const start = from === "" ? { lo: undefined } : readDate(from, mayHaveTime);
  const end = to === "" ? { hi: undefined } : readDate(to, mayHaveTime);
  if (!start || !end) return undefined;
  if (start.lo !== undefined && end.hi !== undefined && start.lo > end.hi) return undefined;
  if (from.includes("T") && to.includes("T") && Date.parse(from) > Date.parse(to)) return undefined;
  return { lo: start.lo, hi: end.hi };
}

/**
 * The days of an EDTF date or interval; undefined when records 8.1 does not accept it. With `mayHaveTime`, date-times
 * are accepted too (`metadata.dates`) and count as their day.
 */
export function dateInterval(edtf: string, options = { mayHaveTime: true }): DateInterval | undefined {
  const parts = edtf.split("/");
  if (parts.length === 1) return readDate(edtf, options.mayHaveTime);
  const [from = "", to = "", ...others] = parts;
  return others.length > 0 ? undefined : readInterval(from, to, options.mayHaveTime);
}

/** Whether a text is an existing day, `YYYY-MM-DD`. */
export const isDay = (date: string): boolean => date.length === 10 && readDate(date, false) !== undefined;

/** An EDTF date or interval, stored exactly as sent (records 8.1). */
export const edtf = (options: { mayHaveTime: boolean }): Field<string> => ({
  shape: z.string().describe("EDTF date or interval: YYYY, YYYY-MM, YYYY-MM-DD, A/B, A/, /B"),
  answer: z.string(),
  place: linePlace,
  read(input, path, check) {
    if (typeof input !== "string") {
      report(check, path, messages.notString);
      return undefined;
    }
    if (dateInterval(input, options)) return input;
    report(check, path, "Please provide a valid date or interval.");
    return undefined;
  },
  expand: (value) => value,
});
