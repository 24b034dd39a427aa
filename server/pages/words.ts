import { AsyncLocalStorage } from "node:async_hooks";
import { de } from "./words/de.ts";
import { en, type Words } from "./words/en.ts";

export type { Words } from "./words/en.ts";

const languages = { en, de };
export type Language = keyof typeof languages;
export const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

const spoken = new AsyncLocalStorage<Language>();

/** Runs `work`, and all that it starts, with the words of a language. */
export const inLanguage = <T>(language: Language, work: () => T): T => spoken.run(language, work);

/** Some words in the language of the call. A language that lacks one does not compile. */
export const inSpokenLanguage = <T extends object>(all: Record<Language, T>): T =>
  new Proxy(all.en, { get: (_en, name) => all[spoken.getStore() ?? "en"][name as keyof T] });

/**
 * The words of the pages in the language of the call. A language that lacks a word does not compile. The language travels
 * with the call, since every part of every page needs it.
 */
export const words: Words = inSpokenLanguage<Words>(languages);

/** A count as people of the language write it. */
export const countInWords = (count: number): string => new Intl.NumberFormat(words.language).format(count);
