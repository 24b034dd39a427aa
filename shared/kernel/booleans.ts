import { z } from "zod";

const trueWords = new Set(["true", "True", "TRUE", "t", "1", "yes", "y", "on"]);
const falseWords = new Set(["false", "False", "FALSE", "f", "0", "no", "n", "off"]);

/** Reads a boolean of a query string (search-and-conventions 2); undefined for anything else. */
export const readBoolean = (text: string): boolean | undefined =>
  trueWords.has(text) ? true : falseWords.has(text) ? false : undefined;

/** Whether a parameter of a query string is true; false for a value that is no boolean. */
export const isOn = (value: unknown): boolean => typeof value === "string" && readBoolean(value) === true;

/** A boolean parameter; any other value is refused. */
export const booleanParameter = z.string().transform((text, context) => {
  const value = readBoolean(text);
  if (value !== undefined) return value;
  context.issues.push({ code: "custom", message: "Not a valid boolean.", input: text });
  return z.NEVER;
});
