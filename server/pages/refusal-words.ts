import { refusalTranslator } from "../../shared/kernel/refusal-translator.ts";
import german from "../../shared/kernel/refusals.de.json" with { type: "json" };
import { spokenLanguage } from "../../shared/kernel/spoken-language.ts";

const inGerman = refusalTranslator(german);

/** A refusal in the language of the call, as forms show it. */
export const refusalInWords = (message: string): string => (spokenLanguage() === "de" ? inGerman(message) : message);
