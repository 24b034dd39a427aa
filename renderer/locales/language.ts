import i18next from "i18next";

/** The language of the texts. */
const words = () => i18next.resolvedLanguage ?? "en";

/** The language of numbers and dates: the texts' language with the user's country if known. */
export const language = () => (navigator.language.split("-")[0] === words() ? navigator.language : words());
