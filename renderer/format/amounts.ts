import { language } from "../locales/language.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

function scaled(bytes: number): [number, string] {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return [value, units[unit] ?? "byte"];
}

/** Formats bytes: "3.2 GB" (powers of 1000). */
export function formatBytes(bytes: number): string {
  const [value, unit] = scaled(bytes);
  const digits = unit === "byte" || value >= 100 ? 0 : 1;
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit,
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits: digits,
  }).format(value);
}

/** Bytes per second: "84 MB/s". */
export const formatSpeed = (bytesPerSecond: number) => `${formatBytes(bytesPerSecond)}/s`;

export const formatCount = (count: number) => new Intl.NumberFormat(language()).format(count);

/** A number to edit: with the language's decimal sign, without groups. */
export const formatDecimal = (value: number) =>
  new Intl.NumberFormat(language(), { useGrouping: false, maximumFractionDigits: 9 }).format(value);

/**
 * A number as it is typed, with a point or a comma. Undefined if it is none, or may stand for thousands in this language,
 * as 1,500 does in English.
 */
export function readDecimal(text: string): number | undefined {
  const typed = text.trim();
  if (!/^\d+([.,]\d+)?$/.test(typed)) return undefined;
  const [, sign] = formatDecimal(0.5);
  const isThousands = /^[1-9]\d{0,2}[.,]\d{3}$/.test(typed) && !typed.includes(sign ?? "");
  return isThousands ? undefined : Number(typed.replace(",", "."));
}

/** A ratio in whole percent. */
export const percentOf = (part: number, whole: number) => (whole > 0 ? Math.floor((part / whole) * 100) : 0);
