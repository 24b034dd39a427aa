import { z } from "zod";
import { cleanText, isLonger, isShorter } from "../kernel/characters.ts";
import { isObject } from "../kernel/json.ts";
import { type Check, type Field, messages, report } from "./field.schema.ts";
import { linePlace, valuePlace } from "./place.schema.ts";

interface TextOptions {
  min?: number;
  max?: number;
  /** The message for an empty text, where records 8 names one. */
  blankMessage?: string;
}

const asSent = <V>(value: V): V => value;

function refusal(text: string, { min = 0, max = Number.POSITIVE_INFINITY, blankMessage }: TextOptions) {
  if (text === "" && blankMessage) return blankMessage;
  if (isShorter(text, min)) return `Shorter than minimum length ${min}.`;
  if (isLonger(text, max)) return `Longer than maximum length ${max}.`;
  return undefined;
}

function readText(input: unknown, path: string, check: Check, options: TextOptions, clean: (text: string) => string) {
  if (typeof input !== "string") {
    report(check, path, messages.notString);
    return undefined;
  }
  const value = clean(input);
  const message = refusal(value, options);
  if (message === undefined) return value;
  report(check, path, message);
  return undefined;
}

function textShape({ min, max, blankMessage }: TextOptions) {
  let shape = z.string();
  if (min !== undefined || blankMessage) shape = shape.min(min ?? 1);
  return max === undefined ? shape : shape.max(max);
}

/** `S` of records 8. */
export const text = (options: TextOptions = {}): Field<string> => ({
  shape: textShape(options),
  answer: z.string(),
  place: linePlace,
  read: (input, path, check) => readText(input, path, check, options, cleanText),
  expand: asSent,
});

/** The longest text with markup, in characters, as sent and as stored: longer than any abstract. */
const longestHtml = 2_000_000;

/** `H` of records 8: only the tags and attributes of the allow-list are kept. */
export const html = (options: TextOptions = {}): Field<string> => ({
  shape: textShape({ max: longestHtml, ...options }),
  answer: z.string(),
  place: linePlace,
  read(input, path, check) {
    // Checks the length before cleaning, which takes long, and after it, since escaping makes a text longer.
    const refused = typeof input === "string" && input.length > longestHtml ? input : undefined;
    const clean = (sent: string): string => cleanText(check.cleanHtml(cleanText(sent)));
    const value = refused ?? readText(input, path, check, options, clean);
    if (value === undefined || value.length <= longestHtml) return value;
    report(check, path, `Longer than maximum length ${longestHtml}.`);
    return undefined;
  },
  expand: asSent,
});

/** One of some fixed values. Anything else, also an absent value, is refused with the same message. */
export const choice = <T extends string>(options: readonly T[], message: string): Field<T> => ({
  shape: z.enum(options),
  answer: z.enum(options),
  place: linePlace,
  read(input, path, check) {
    const chosen = options.find((option) => option === input);
    if (chosen === undefined) report(check, path, message);
    return chosen;
  },
  expand: asSent,
});

const urlPattern = /^(?:https?|ftp):\/\/[^\s/?#@]+(?:@[^\s/?#@]+)?(?:[/?#]\S*)?$/i;

/** Whether a text is an absolute web address. */
const isUrl = (value: string): boolean => urlPattern.test(value);

/** A URL; anything else is refused with `Not a valid URL.` */
export const url = (): Field<string> => ({
  shape: z.url(),
  answer: z.string(),
  place: linePlace,
  read(input, path, check) {
    const value = readText(input, path, check, {}, cleanText);
    if (value === undefined || isUrl(value)) return value;
    report(check, path, "Not a valid URL.");
    return undefined;
  },
  expand: asSent,
});

/** As the reference: a language has two letters (interoperability 21). */
const localePattern = /^[a-z]{2}$/;

const localisedText = z.record(z.string(), z.string());

/** A map with one locale key, such as `{en: "Own licence"}`. */
export const localised = (): Field<Record<string, string>> => ({
  shape: localisedText,
  answer: localisedText,
  place: valuePlace,
  read(input, path, check) {
    if (!isObject(input)) {
      report(check, path, messages.notObject);
      return undefined;
    }
    const [locale, ...others] = Object.keys(input);
    if (locale === undefined || others.length > 0 || !localePattern.test(locale)) {
      report(check, path, "A text in exactly one language must be present.");
      return undefined;
    }
    const value = readText(input[locale], `${path}.${locale}`, check, { min: 1 }, cleanText);
    return value === undefined ? undefined : { [locale]: value };
  },
  expand: asSent,
});
