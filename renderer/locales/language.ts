import i18next from "i18next";

/** The language of words, numbers and dates. */
export const language = () => i18next.resolvedLanguage ?? "en";
