import i18next from "i18next";

/** The language of the words. */
const words = () => i18next.resolvedLanguage ?? "en";

/** The language of numbers and dates: the words' own, in the person's country when that is known. */
export const language = () => (navigator.language.split("-")[0] === words() ? navigator.language : words());
