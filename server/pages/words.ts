import { dateFormat } from "../../shared/kernel/date-formats.ts";
import type { Language } from "../../shared/kernel/languages.schema.ts";
import { spokenLanguage } from "../../shared/kernel/spoken-language.ts";
import { de } from "./words/de.ts";
import { en, type Words } from "./words/en.ts";

export type { Words } from "./words/en.ts";

const languages: Record<Language, Words> = { en, de };

/** The words in a language, outside of a call. */
export const wordsIn = (language: string): Words => (language === "de" ? de : en);

export const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** Some words in the language of the call. A language that lacks one does not compile. */
export const inSpokenLanguage = <T extends object>(all: Record<Language, T>): T =>
  new Proxy(all.en, { get: (_en, name) => all[spokenLanguage() ?? "en"][name as keyof T] });

/**
 * The words of the pages in the language of the call. A language that lacks a word does not compile. The language travels
 * with the call, since every part of every page needs it.
 */
export const words: Words = inSpokenLanguage<Words>(languages);

const numbers: Record<Language, Intl.NumberFormat> = {
  en: new Intl.NumberFormat("en"),
  de: new Intl.NumberFormat("de"),
};

/** A count as people of the language write it. */
export const countInWords = (count: number): string => numbers[spokenLanguage() ?? "en"].format(count);

const longDay = { dateStyle: "long", timeZone: "UTC" } as const;

/** A day as people of the language write it. @param day as in `2026-11-30`. */
export const dayInWords = (day: string): string => dateFormat(words.language, longDay).format(new Date(day));
