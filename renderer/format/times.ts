import { language } from "../locales/language.ts";

/** Parses both formats of the API: ISO 8601, and `YYYY-MM-DD hh:mm:ss.ffffff` in UTC without a zone. */
function parseTime(time: string): Date {
  return new Date(/[zZ]|[+-]\d\d:\d\d$/.test(time) ? time : `${time.replace(" ", "T").slice(0, 23)}Z`);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "5 minutes ago"; "now" under a minute. */
export function formatAgo(time: string): string {
  const seconds = (parseTime(time).getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(0, "second");
}

/** "14:02" today, "14 Nov, 14:02" on other days. */
export function formatClock(time: Date): string {
  const today = new Date().toDateString() === time.toDateString();
  return new Intl.DateTimeFormat(
    language(),
    today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" },
  ).format(time);
}

/** The same for an API time. */
export const formatSince = (time: string): string => formatClock(parseTime(time));

export const isToday = (time: string): boolean => parseTime(time).toDateString() === new Date().toDateString();

export const formatFull = (time: string) =>
  new Intl.DateTimeFormat(language(), { dateStyle: "long", timeStyle: "short" }).format(parseTime(time));

/** As `formatFull`, for columns: "3 May 2026, 14:02". */
export const formatShort = (time: string) =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(parseTime(time));

/** Formats an EDTF date or interval (`2024`, `2024-05`, `2024-05-03`, `A/B`). A date with a time counts as its day. */
export function formatEdtf(date: string): string {
  return date
    .split("/")
    .map((part) => (part ? formatDatePart(part) : "…"))
    .join(" – ");
}

const edtfDate = /^(\d{4})-(\d{2})(?:-(\d{2})(?:T.*)?)?$/;

function formatDatePart(part: string): string {
  const [, year, month, day] = edtfDate.exec(part) ?? [];
  if (year === undefined) return part;
  const options: Intl.DateTimeFormatOptions = { year: "numeric", month: day ? "short" : "long", timeZone: "UTC" };
  if (day) options.day = "numeric";
  // `Date.UTC` takes the years 0 to 99 for those of the 20th century.
  const instant = new Date(0);
  instant.setUTCFullYear(Number(year), Number(month) - 1, Number(day ?? 1));
  return new Intl.DateTimeFormat(language(), options).format(instant);
}

/** Formats a remaining time roughly: "20 sec", "6 min", "2.5 hr". Takes seconds. */
export function formatLeft(seconds: number): string {
  const say = (value: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(language(), {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    }).format(value);
  if (seconds < 60) return say(Math.max(5, Math.ceil(seconds / 5) * 5), "second");
  return seconds < 3600 ? say(seconds / 60, "minute") : say(seconds / 3600, "hour", seconds < 36_000 ? 1 : 0);
}
