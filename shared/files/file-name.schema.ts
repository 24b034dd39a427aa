import { z } from "zod";
import { isMisleading } from "../kernel/characters.ts";

/** In UTF-16 units, with the folders. */
const longestName = 255;

function isUsable(name: string): boolean {
  if (isMisleading(name) || name.includes("\\")) return false;
  return name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A file name of a record; `/` makes folders (records 6.2). */
export const fileName = z
  .string()
  .min(1)
  .max(longestName)
  .refine((name) => name === "" || isUsable(name), { message: "Not a valid file name." });

/** The beginning of a text, without half a character. */
const beginningOf = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** The suffix before the extension. A name that would be too long loses the end of its stem, then its folder. */
export function withSuffix(key: string, suffix: string): string {
  const folder = key.slice(0, key.lastIndexOf("/") + 1);
  const base = key.slice(folder.length);
  const dot = base.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [base.slice(0, dot), base.slice(dot)] : [base, ""];
  const added = suffix.length + extension.length;
  if (folder.length + added < longestName)
    return `${folder}${beginningOf(stem, longestName - folder.length - added)}${suffix}${extension}`;
  return added < longestName ? withSuffix(base, suffix) : `${beginningOf(base, longestName - suffix.length)}${suffix}`;
}
