import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { has } from "../api-client/host.ts";
import { storedChoice } from "../shell/stored-choice.ts";
import en from "./en.json";
import plainRefusals from "./refusals.en.json";
import { setRefusals } from "./refusals.ts";

/** `system` is the browser's language if there are texts in it, else English. */
export type LanguageChoice = "system" | "en" | "de";

const choice = storedChoice<LanguageChoice>("carrel.language", "system", () => void changeLanguage());

/** Texts of other languages than English, which are fetched when they are needed. */
const others: Record<string, () => Promise<{ texts: object; refusals: Record<string, string> }>> = {
  async de() {
    const [texts, refusals] = await Promise.all([import("./de.json"), import("../../shared/kernel/refusals.de.json")]);
    return { texts: texts.default, refusals: refusals.default };
  },
};

const wanted = () => (choice.read() === "system" ? navigator.language : choice.read());

async function addTexts(): Promise<void> {
  const [code = "en"] = wanted().split("-");
  const added = await others[code]?.();
  if (added && !i18next.hasResourceBundle(code, "translation"))
    i18next.addResourceBundle(code, "translation", added.texts);
  setRefusals(added?.refusals ?? plainRefusals);
  if (i18next.hasResourceBundle(code, "translation")) adaptTexts(code);
}

/** Replaces texts about this computer where the files are on a server. */
function adaptTexts(code: string): void {
  if (has("local_files")) return;
  const { online } = i18next.getResourceBundle(code, "translation");
  if (online) i18next.addResourceBundle(code, "translation", online, true, true);
}

function describePage(): void {
  document.documentElement.lang = i18next.resolvedLanguage ?? "en";
  document.documentElement.dir = i18next.dir();
}

async function changeLanguage(): Promise<void> {
  await addTexts();
  await i18next.changeLanguage(wanted());
  describePage();
}

/** English is bundled, and stands in for texts that another language lacks. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: "en",
    fallbackLng: "en",
    interpolation: { escapeValue: false },
  });
  adaptTexts("en");
  await changeLanguage();
}

export const useLanguage = () => ({ language: choice.use(), setLanguage: choice.set });
