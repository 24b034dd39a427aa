import { AsyncLocalStorage } from "node:async_hooks";
import type { Language } from "./languages.schema.ts";

const currentLanguage = new AsyncLocalStorage<Language>();

/** Runs `work`, and all that it starts, in a language. */
export const inLanguage = <T>(language: Language, work: () => T): T => currentLanguage.run(language, work);

/** The language of the page that is called; undefined for calls of the API, whose answers have no words. */
export const spokenLanguage = (): Language | undefined => currentLanguage.getStore();
