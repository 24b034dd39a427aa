import { z } from "zod";
import { isMisleading } from "../kernel/characters.ts";

/** In UTF-16 units, with the folders. */
export const longestName = 255;

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
