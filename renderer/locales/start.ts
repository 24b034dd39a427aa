import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "./en.json";

/** Texts are bundled, so that the first paint has them. */
export async function startLanguage() {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: navigator.language,
    fallbackLng: "en",
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = i18next.resolvedLanguage ?? "en";
  document.documentElement.dir = i18next.dir();
}
