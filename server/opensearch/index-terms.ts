import { createHash } from "node:crypto";

/** Between the path and the value of a term. No path has it, and it separates no tokens. */
const mark = "\u0001";
/** Stands before the digest of the rest of a long value. */
const digestMark = "\u0002";
/** A term has at most 32,766 bytes in UTF-8, with its path. */
const longestValue = 7000;

/** Long values are cut the same way where they are stored and where they are looked for, so equal stays equal. */
export function cut(value: string): string {
  if (value.length <= longestValue) return value;
  // Not between the halves of a character outside the basic plane.
  const kept = value.slice(0, longestValue).replace(/[\uD800-\uDBFF]$/, "");
  return kept + digestMark + createHash("sha256").update(value).digest("base64");
}

/** A path as the beginning of a term. Blanks would separate tokens. */
export const pathStart = (path: string): string => path.replace(/\s/gu, "\u0003") + mark;

/** The term of a value in a path: a token of a text, or a whole keyword. */
export const termOf = (path: string, value: string): string => pathStart(path) + cut(value);

/** The end of all terms that begin with `pathStart`. */
export const afterPath = (path: string): string => `${path.replace(/\s/gu, "\u0003")}\u0002`;

/** A number as text of the same order. */
function sortableNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  // Zero has one sign only.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  for (let at = 0; at < 8; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (isNegative ? 0xff : at === 0 ? 0x80 : 0);
  return bytes.toString("hex");
}

/** The term of a number or an instant: a path may hold both. */
export const numberTerm = (path: string, kind: "number" | "time", value: number): string =>
  `${pathStart(path)}${kind.charAt(0)}${sortableNumber(value)}`;
