import { z } from "zod";

const longestName = 255;

function isUsable(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(name)) return false;
  return name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A file name of a record; `/` makes folders (records 6.2). */
export const fileName = z
  .string()
  .min(1)
  .max(longestName)
  .refine((name) => name === "" || isUsable(name), { message: "Not a valid file name." });
