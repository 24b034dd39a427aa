import { z } from "zod";

const trueWords = new Set(["true", "True", "TRUE", "t", "1", "yes", "y", "on"]);
const falseWords = new Set(["false", "False", "FALSE", "f", "0", "no", "n", "off"]);

/** A boolean as queries spell it (search-and-conventions 2); undefined for anything else. */
export const readBoolean = (text: string): boolean | undefined =>
  trueWords.has(text) ? true : falseWords.has(text) ? false : undefined;

/** Whether a parameter of a query asks for something; what cannot be read asks for nothing. */
export const isOn = (value: unknown): boolean => typeof value === "string" && readBoolean(value) === true;

/** A boolean parameter that is refused when it cannot be read. */
export const booleanParameter = z.string().transform((text, context) => {
  const value = readBoolean(text);
  if (value !== undefined) return value;
  context.issues.push({ code: "custom", message: "Not a valid boolean.", input: text });
  return z.NEVER;
});
